/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.Page;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.lease.WorkerLease;
import java.io.PrintStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists the executions that somebody holds. */
@Command(
    name = "list",
    description = {
      "Lists the leases that are held. A time is the store's where it has a clock,",
      "else that of the worker: a hint."
    })
final class LeaseListCommand extends StoreCommand {
  private static final int PAGE = 500;

  @Mixin private LimitOption limit = new LimitOption();

  @Option(names = "--after", paramLabel = "PLACE", description = "Go on where a former list ended.")
  private @Nullable String after;

  @Override
  ExitCode run() {
    try (Persistence persistence = open()) {
      List<WorkerLease> found = new ArrayList<>();
      Optional<String> next = Optional.ofNullable(after);
      do {
        int wanted = Math.min(PAGE, limit.value() - found.size());
        Page<WorkerLease> page = repositories(persistence).leases().list(wanted, next);
        found.addAll(page.items());
        next = page.next();
      } while (next.isPresent() && found.size() < limit.value());
      return answer(new Listing(found, next, console().clock().instant()));
    }
  }

  private final class Listing implements Answer {
    private final List<WorkerLease> leases;
    private final Optional<String> next;
    private final Instant now;

    Listing(List<WorkerLease> leases, Optional<String> next, Instant now) {
      this.leases = leases;
      this.next = next;
      this.now = now;
    }

    @Override
    public void text(PrintStream out) {
      if (leases.isEmpty()) {
        out.println(
            "no leases are held by workers of tenant '%s' in %s; what waits for one: %s"
                .formatted(tenant(), storeName(), again("execution list --status RUNNING")));
        return;
      }
      Table table =
          new Table(
              "OWNER", "EXECUTION", ">TOKEN", "RUNS OUT", ">TTL", ">RENEWALS", ">WITHOUT PROGRESS");
      for (WorkerLease lease : leases) {
        table.row(
            lease.owner() + (lease.leaseId().isEmpty() ? " (assigned)" : ""),
            lease.executionId(),
            lease.token(),
            Human.fromNow(lease.expiresAt(), now),
            Human.duration(lease.ttl()),
            lease.renewals(),
            lease.acquisitionsWithoutProgress());
      }
      table.print(out);
      next.ifPresent(
          place ->
              out.println(
                  "more: "
                      + again("lease list" + limit.again() + " --after " + ShellWord.of(place))));
    }

    @Override
    public JsonObject json() {
      return new JsonObject()
          .put("tenant", tenant())
          .put("leases", leases.stream().map(Listing::item).toList())
          .put("next", next);
    }

    private static JsonObject item(WorkerLease lease) {
      return new JsonObject()
          .put("executionId", lease.executionId())
          .put("owner", lease.owner())
          .put("leaseId", lease.leaseId())
          .put("token", lease.token())
          .put("expiresAt", lease.expiresAt())
          .put("ttl", lease.ttl())
          .put("renewals", lease.renewals())
          .put("acquisitionsWithoutProgress", lease.acquisitionsWithoutProgress())
          .put("dueAt", lease.dueAt());
    }
  }
}
