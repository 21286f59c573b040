/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.core.WovyrPersistence;
import io.wovyr.persistence.sealing.spi.WrappedDataKey;
import java.io.PrintStream;
import java.util.List;
import picocli.CommandLine.Command;

/** Lists the data keys of a tenant, none of them opened. */
@Command(
    name = "list",
    description = {
      "Lists the data keys of the tenant: names and what wraps them, never a key.",
      "New values are sealed under the highest number of their scope."
    })
final class KeysListCommand extends StoreCommand {
  @Override
  ExitCode run() {
    try (WovyrPersistence persistence = open()) {
      return answer(new Listing(persistence.dataKeys().list(tenant())));
    }
  }

  private final class Listing implements Answer {
    private final List<WrappedDataKey> keys;

    Listing(List<WrappedDataKey> keys) {
      this.keys = keys;
    }

    @Override
    public void text(PrintStream out) {
      if (keys.isEmpty()) {
        out.println(
            "tenant '%s' has no data key in %s: one is made with its first sealed value"
                .formatted(tenant(), storeName()));
        return;
      }
      Table table = new Table("SCOPE", ">NUMBER", "DATA KEY", "WRAPPED BY", "CREATED (UTC)");
      for (WrappedDataKey key : keys) {
        table.row(
            key.scope(), key.number(), key.id(), key.wrappingKeyId(), Human.time(key.createdAt()));
      }
      table.print(out);
      out.println("whether they open: " + again("keys check"));
    }

    @Override
    public JsonObject json() {
      return new JsonObject()
          .put("tenant", tenant())
          .put("keys", keys.stream().map(KeysListCommand::item).toList());
    }
  }

  static JsonObject item(WrappedDataKey key) {
    return new JsonObject()
        .put("scope", key.scope().name())
        .put("number", key.number())
        .put("id", key.id())
        .put("wrappedBy", key.wrappingKeyId())
        .put("createdAt", key.createdAt());
  }
}
