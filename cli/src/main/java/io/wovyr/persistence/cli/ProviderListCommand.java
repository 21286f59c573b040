/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.storage.spi.Capability;
import io.wovyr.persistence.storage.spi.StorageProvider;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;

/** Lists the providers and what their stores can do. */
@Command(name = "list", description = "Lists the storage providers and what their stores can do.")
final class ProviderListCommand extends StoreCommand {
  @Override
  ExitCode run() {
    return answer(new Listing(Providers.all()));
  }

  static String names(Set<Capability> capabilities) {
    return capabilities.isEmpty()
        ? Human.NOTHING
        : capabilities.stream()
            .sorted()
            .map(capability -> capability.name().toLowerCase(Locale.ROOT).replace('_', '-'))
            .collect(Collectors.joining(", "));
  }

  private record Listing(List<StorageProvider> providers) implements Answer {
    @Override
    public void text(PrintStream out) {
      Table table = new Table("NAME", "MIGRATED BY WOVYR", "CAPABILITIES");
      for (StorageProvider provider : providers) {
        table.row(
            provider.name(),
            provider.migrator() == null ? "no" : "yes",
            names(provider.capabilities()));
      }
      table.print(out);
    }

    @Override
    public JsonObject json() {
      return new JsonObject().put("providers", providers.stream().map(Listing::item).toList());
    }

    private static JsonObject item(StorageProvider provider) {
      return new JsonObject()
          .put("name", provider.name())
          .put("migrates", provider.migrator() != null)
          .put("capabilities", provider.capabilities().stream().sorted().toList());
    }
  }
}
