/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance;

import io.wovyr.persistence.storage.spi.CommitOutcome.Committed;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scope;
import io.wovyr.persistence.storage.spi.Storage;
import io.wovyr.persistence.storage.spi.StorageProvider;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/**
 * The other process of the contracts of two processes. Opens the store by the provider's class name
 * and settings, given as arguments, and does one task for each line it reads; started by the kit
 * only.
 */
final class RaceWorker {
  /** What a line asks for; its argument is an execution id. */
  enum Task {
    /** Takes a head of version 1; answers whether it won. */
    TAKE,
    /** Raises a counter as many times as the second argument says. */
    RAISE,
    /** Appends events until it is killed, telling each number after its commit. */
    POUR
  }

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final KitTenant tenant;
  private final PrintStream out;

  private RaceWorker(KitTenant tenant, PrintStream out) {
    this.tenant = tenant;
    this.out = out;
  }

  /** Arguments: provider class, tenant, then settings as {@code name=value}. */
  public static void main(String[] arguments) throws Exception {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    try (Storage storage = open(arguments)) {
      KitTenant tenant = new KitTenant(storage, Scope.tenant(arguments[1]), PATIENCE);
      out.println("ready");
      new RaceWorker(tenant, out).serve();
    }
  }

  private static Storage open(String[] arguments) throws ReflectiveOperationException {
    Map<String, String> settings = new HashMap<>();
    for (int i = 2; i < arguments.length; i++) {
      int end = arguments[i].indexOf('=');
      settings.put(arguments[i].substring(0, end), arguments[i].substring(end + 1));
    }
    return Class.forName(arguments[0])
        .asSubclass(StorageProvider.class)
        .getConstructor()
        .newInstance()
        .open(settings);
  }

  private void serve() throws IOException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] words = line.split(" ");
      UUID execution = UUID.fromString(words[1]);
      switch (Task.valueOf(words[0].toUpperCase(Locale.ROOT))) {
        case TAKE -> out.println(takes(tenant, execution, "other") ? "won" : "lost");
        case RAISE -> {
          Row counter = tenant.stored(Key.of(RecordTypes.HEAD, execution));
          out.println(ContentionArea.raise(tenant, counter, Integer.parseInt(words[2])));
        }
        case POUR -> pour(execution);
      }
    }
  }

  /** Takes a head as it is in its first version; true when this call did it. */
  static boolean takes(KitTenant tenant, UUID execution, String owner) {
    Row head = tenant.stored(Key.of(RecordTypes.HEAD, execution));
    return head.version() == 1
        && tenant.commit(new Mutation.Update(head, FencingArea.takenBy(head, owner)))
            instanceof Committed;
  }

  private void pour(UUID execution) {
    Row head = tenant.stored(Key.of(RecordTypes.HEAD, execution));
    while (true) {
      tenant.committed(tenant.step(head));
      head = tenant.stored(head.key());
      out.println(KitTenant.lastSequence(head));
    }
  }
}
