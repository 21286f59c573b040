/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.storage.spi.Capability;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Health;
import io.wovyr.persistence.storage.spi.Limits;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Statistics;
import io.wovyr.persistence.storage.spi.Storage;
import io.wovyr.persistence.storage.spi.StorageProvider;
import io.wovyr.persistence.storage.spi.StoreIdentity;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import picocli.CommandLine.Command;

/** Opens the store and tells how it is. */
@Command(
    name = "check",
    description = {
      "Opens the store and tells how it is: identity, schema, health, limits, sizes.",
      "Ends with 3 when it cannot be opened or written."
    })
final class ProviderCheckCommand extends StoreCommand {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  @Override
  ExitCode run() {
    StorageProvider provider = provider();
    try (Storage storage = provider.open(settings().storage())) {
      Health health = storage.health();
      Statistics statistics =
          storage.statistics(new Scope.System("wovyr provider check"), Deadline.after(PATIENCE));
      answer(
          new View(
              storeName(),
              provider.name(),
              storage.identity(),
              storage.capabilities(),
              storage.limits(),
              health,
              new TreeMap<>(statistics.records())));
      if (!health.writable() || health.problem().isPresent()) {
        throw new CommandFailure(
            ExitCode.UNAVAILABLE, health.problem().orElse(storeName() + " cannot be written"));
      }
      return ExitCode.OK;
    }
  }

  private record View(
      String store,
      String provider,
      StoreIdentity identity,
      Set<Capability> capabilities,
      Limits limits,
      Health health,
      Map<String, Long> records)
      implements Answer {
    @Override
    public void text(PrintStream out) {
      Fields fields = new Fields();
      fields
          .add("store", store)
          .add("id", identity.storeId())
          .add("epoch", identity.epoch())
          .add("schema", "version " + identity.schemaVersion())
          .add("health", health.writable() ? "can be read and written" : "can be read only")
          .addIf("problem", health.problem())
          .addIf("feed lag", health.feedLag().map(Human::duration))
          .addIf("replication lag", health.replicationLag().map(Human::duration))
          .addIf("feed held back by", health.feedHeldBy().map(Human::oneLine))
          .add("capabilities", ProviderListCommand.names(capabilities))
          .add("largest record", Human.size(limits.recordBytes()))
          .add(
              "largest batch",
              Human.count(limits.batchItems()) + " items, " + Human.size(limits.batchBytes()));
      records.forEach((type, number) -> fields.add(type.replace('_', ' '), Human.count(number)));
      fields.print(out);
    }

    @Override
    public JsonObject json() {
      JsonObject counted = new JsonObject();
      records.forEach(counted::put);
      return new JsonObject()
          .put("store", store)
          .put("provider", provider)
          .put("storeId", identity.storeId())
          .put("epoch", identity.epoch())
          .put("schemaVersion", identity.schemaVersion())
          .put("writable", health.writable())
          .put("problem", health.problem())
          .put("feedLag", health.feedLag())
          .put("replicationLag", health.replicationLag())
          .put("feedHeldBy", health.feedHeldBy())
          .put("capabilities", capabilities.stream().sorted().toList())
          .put(
              "limits",
              new JsonObject()
                  .put("recordBytes", limits.recordBytes())
                  .put("batchItems", limits.batchItems())
                  .put("batchBytes", limits.batchBytes())
                  .put("mergedBatches", limits.mergedBatches())
                  .put("itemsPerIndexEntry", limits.itemsPerIndexEntry()))
          .put("records", counted);
    }
  }
}
