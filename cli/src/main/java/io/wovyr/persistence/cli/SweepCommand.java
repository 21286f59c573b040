/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Persistence.SystemAccess;
import java.io.PrintStream;
import java.util.function.IntSupplier;
import picocli.CommandLine.Command;

/** Removes what nobody needs any more. */
@Command(
    name = "sweep",
    description = {
      "Removes what nobody needs any more, of all tenants: expired commit markers, and large"
          + " values",
      "that no record refers to. Processes that stay open do it by themselves; this does it now.",
      "Safe at any time; interrupted, it is gone on with by the next."
    })
final class SweepCommand extends StoreCommand implements Changing {
  private static final int AT_ONCE = 500;

  @Override
  ExitCode run() {
    requireSystemRole("sweep");
    try (Persistence persistence = open()) {
      SystemAccess system = persistence.system("wovyr sweep");
      long markers = sweep("commit markers", () -> system.sweepMarkers(AT_ONCE));
      long values = sweep("large values", () -> system.sweepLargeValues(AT_ONCE));
      return answer(new Swept(markers, values));
    }
  }

  private long sweep(String what, IntSupplier some) {
    long all = 0;
    for (int now = some.getAsInt(); now > 0; now = some.getAsInt()) {
      all += now;
      console().error().println("removed %,d %s".formatted(all, what));
    }
    return all;
  }

  private record Swept(long markers, long values) implements Answer {
    @Override
    public void text(PrintStream out) {
      out.println(
          "removed %,d expired commit markers and %,d large values".formatted(markers, values));
    }

    @Override
    public JsonObject json() {
      return new JsonObject().put("commitMarkers", markers).put("largeValues", values);
    }
  }
}
