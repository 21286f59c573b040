/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.feed.RegisteredCursor;
import io.wovyr.persistence.payload.Payload;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sweeping by hand, over a real SQLite store. */
final class SweepCommandTest {
  @TempDir private Path directory;
  private Command wovyr;
  private SampleStore store;

  @BeforeEach
  void openStore() {
    wovyr = new Command(directory);
    store = SampleStore.create(wovyr.store());
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  @Test
  void removesWhatExpiredAndNothingElse() throws SQLException {
    store.orders().feed().cursors().insert(RegisteredCursor.of("x", new FeedCursor(1, "1")));
    UUID id = store.createOrder("order-1");
    byte[] noise = new byte[2_000_000];
    new Random(1).nextBytes(noise);
    Payload large = Payload.of("application/octet-stream", noise);
    for (String key : new String[] {"kept", "left"}) {
      NewEvent event = NewEvent.of("Scanned").withPayload(large);
      store.orders().events().append(id, Append.signal(key), event).orThrow();
    }
    store.tamper(
        "UPDATE commit_marker SET expires_at = 1",
        "UPDATE large_value SET status = 'ABANDONED', expires_at = 1 WHERE sequence = 3");

    Command.Result swept = wovyr.run("sweep");

    assertThat(swept.exitCode()).isZero();
    assertThat(swept.out()).contains("removed 2 expired commit markers and 1 large values");
    assertThat(store.orders().events().payload(store.orders().events().find(id, 2).orElseThrow()))
        .contains(large);
    Parsed again = Parsed.of(wovyr.run("sweep", "--output", "json").out());
    assertThat(again.number("commitMarkers")).isZero();
    assertThat(again.number("largeValues")).isZero();
  }
}
