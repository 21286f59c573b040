/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption;

import io.wovyr.encryption.key.FileDataKeyStore;
import io.wovyr.encryption.key.KeystoreKeyProvider;
import io.wovyr.encryption.key.KeystoreSettings;
import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.sealing.spi.SealingProvider.Binding;
import io.wovyr.persistence.sealing.spi.SealingProvider.KeyScope;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.UUID;

/** A process of its own that seals values in a folder of keys, as soon as it is told to. */
final class SealingProcess {
  static final Binding PLACE =
      new Binding("acme", "workflow_event", "payload", new UUID(1, 2), KeyScope.DATA);
  static final Bytes PLAIN = Bytes.utf8("by one of many");

  private SealingProcess() {}

  static EnvelopeSealing sealing(Path folder) {
    return EnvelopeSealing.with(
            new KeystoreKeyProvider(KeystoreSettings.embedded(folder.resolve("keys.p12"))))
        .over(new FileDataKeyStore(folder.resolve("datakeys")));
  }

  /** Arguments: the folder, how many values to seal. Waits for a line of input, writes hex. */
  public static void main(String[] arguments) throws IOException {
    EnvelopeSealing sealing = sealing(Path.of(arguments[0]));
    System.out.println("ready");
    if (System.in.read() < 0) {
      return;
    }
    for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
      byte[] sealed = sealing.seal(PLAIN, PLACE).bytes().unsafeArray();
      System.out.println(HexFormat.of().formatHex(sealed));
    }
  }
}
