/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga.sabotage;

import io.wovyr.persistence.storage.spi.Storage;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** One promise of a storage, broken on purpose. */
public enum Sabotage {
  /** A write under an overtaken token is written all the same. */
  SKIP_FENCING("skip-fencing"),
  /** An event is left out of a commit that is answered as complete. */
  DROP_EVENT("drop-event"),
  /** An entry of a compensation stack is left out of a commit that is answered as complete. */
  DROP_RECORD("drop-record"),
  /** An event is stored a second time, under the next number. */
  APPEND_TWICE("append-twice"),
  /** An older image of a head is written over the newest one. */
  STALE_WRITE("stale-write");

  private final String text;

  Sabotage(String text) {
    this.text = text;
  }

  /** Its name on the command line. */
  public String text() {
    return text;
  }

  /** This storage, breaking the promise. */
  public Storage applyTo(Storage storage) {
    return switch (this) {
      case SKIP_FENCING -> new SkipFencing(storage);
      case DROP_EVENT -> new DropEvent(storage);
      case DROP_RECORD -> new DropRecord(storage);
      case APPEND_TWICE -> new AppendTwice(storage);
      case STALE_WRITE -> new StaleWrite(storage);
    };
  }

  /** The sabotage of this name. */
  public static Optional<Sabotage> named(String name) {
    return Arrays.stream(values()).filter(sabotage -> sabotage.text.equals(name)).findFirst();
  }

  /** All names, for people. */
  public static String names() {
    return Arrays.stream(values()).map(Sabotage::text).collect(Collectors.joining("|"));
  }
}
