/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.storage.spi.StoreIdentity;
import java.io.PrintStream;
import picocli.CommandLine.Command;

/** Begins a new epoch of a store that was copied by other means. */
@Command(
    name = "begin-epoch",
    description = {
      "Begins a new epoch of a store that was put in its place by other means than 'backup",
      "restore', such as a copy of its files: before anything writes to it."
    })
final class BackupBeginEpochCommand extends StoreCommand implements Changing {
  @Override
  ExitCode run() {
    StoreIdentity store = BackupsCommand.backups(provider()).beginEpoch(settings().storage());
    return answer(new Begun(storeName(), store));
  }

  private record Begun(String name, StoreIdentity store) implements Answer {
    @Override
    public void text(PrintStream out) {
      out.println("%s is in epoch %d".formatted(name, store.epoch()));
    }

    @Override
    public JsonObject json() {
      return new JsonObject()
          .put("store", name)
          .put("storeId", store.storeId())
          .put("epoch", store.epoch());
    }
  }
}
