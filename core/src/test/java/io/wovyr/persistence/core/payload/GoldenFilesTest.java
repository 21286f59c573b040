/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.payload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.payload.StoredPayload.Body;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Bytes that were stored once stay readable for ever. */
class GoldenFilesTest {
  @Test
  void valuesInTheClearAreRead() {
    assertThat(opened("payload-1-clear.bin")).isEqualTo(GoldenFiles.TEXT);
    assertThat(opened("payload-1-clear-empty.bin")).isEqualTo(Payload.text(""));
  }

  @Test
  void sealedValuesAreOpened() {
    assertThat(opened("payload-1-sealed-by-test-codec.bin")).isEqualTo(GoldenFiles.JSON);
  }

  @Test
  void compressedValuesAreExpandedAndOpened() {
    for (String name :
        List.of("payload-1-compressed-clear.bin", "payload-1-compressed-sealed.bin")) {
      StoredPayload stored = payload(name);
      assertThat(stored.compression()).isEqualTo(PayloadCompression.ZSTANDARD);
      assertThat(stored.encode().size()).isLessThan(500);
    }
    PayloadSealer clear = new PayloadSealer(Optional.empty(), new SecureRandom());
    assertThat(clear.open(payload("payload-1-compressed-clear.bin"), GoldenFiles.PLACE))
        .isEqualTo(GoldenFiles.LONG);
    StoredPayload sealed = payload("payload-1-compressed-sealed.bin");
    assertThat(GoldenFiles.sealer().open(sealed, GoldenFiles.KEYED_PLACE))
        .isEqualTo(GoldenFiles.LONG);
    assertThatThrownBy(() -> GoldenFiles.sealer().open(sealed, GoldenFiles.PLACE))
        .isInstanceOf(Corrupt.class);
  }

  @Test
  void bodiesOutsideTheRecordAreUnderstood() {
    assertThat(payload("payload-1-chunked.bin"))
        .isEqualTo(GoldenFiles.outside(new Body.Chunked(GoldenFiles.STAGE, 77)));
    assertThat(payload("payload-1-external.bin"))
        .isEqualTo(GoldenFiles.outside(new Body.External("tenant/\u00e4/1")));
  }

  @Test
  void stateChangesAreRead() {
    assertThat(StateChangeCodec.decode(GoldenFiles.read("state-changes-1-none.bin"))).isEmpty();
    Bytes bytes = GoldenFiles.read("state-changes-1-every-kind.bin");
    StoredPayload own = payload("payload-1-clear.bin");
    assertThat(StateChangeCodec.decode(bytes)).isEqualTo(GoldenFiles.everyKindOfChange(own));
    assertThat(StateChangeCodec.encode(GoldenFiles.everyKindOfChange(own))).isEqualTo(bytes);
  }

  private static StoredPayload payload(String name) {
    Bytes bytes = GoldenFiles.read(name);
    StoredPayload payload = StoredPayload.decode(bytes);
    assertThat(payload.encode()).isEqualTo(bytes);
    return payload;
  }

  private static Payload opened(String name) {
    return GoldenFiles.sealer().open(payload(name), GoldenFiles.PLACE);
  }
}
