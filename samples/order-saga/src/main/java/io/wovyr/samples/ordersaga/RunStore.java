/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import io.wovyr.encryption.EnvelopeSealingFactory;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.samples.ordersaga.RunDirectory.StoredIn;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The store of one run: how its processes open it, and the server behind it when that is the run's
 * own. The one place that knows which kinds there are. Thread-safe.
 */
final class RunStore implements AutoCloseable {
  /** The tenant of all orders, where the store is the run's alone. */
  private static final String TENANT = "orders";

  private static final String SQLITE = "sqlite";
  private static final String POSTGRESQL = "postgresql";

  private final StoredIn kind;
  private final StoreSettings settings;
  private final Shutdown shutdown;
  private final @Nullable EmbeddedServer server;
  private final Runnable stopServer = this::stopServer;

  private RunStore(
      StoredIn kind,
      StoreSettings settings,
      boolean sealed,
      Shutdown shutdown,
      @Nullable EmbeddedServer server) {
    this.kind = kind;
    this.settings = sealed ? settings : settings.unsealed();
    this.shutdown = shutdown;
    this.server = server;
    shutdown.push(stopServer);
  }

  /**
   * Looks whether a store can be used, before anything is begun: a server somebody else looks after
   * is reached as its runtime and its system role.
   *
   * @throws io.wovyr.persistence.PersistenceException when it cannot, saying what to do
   */
  static void check(DemoStore store, boolean resume) {
    if (store instanceof DemoStore.Server other) {
      StoreSettings settings = looking(other, TENANT).briefly();
      try (Persistence persistence = settings.persistence(settings.open())) {
        lookOverTenants(persistence);
        if (other.tenant().isPresent() && !resume) {
          refuseForeignOrders(looking(other, other.tenant().get()), persistence);
        }
      }
    }
  }

  /** A store that was opened without the system role refuses: a setting to change, and no more. */
  private static void lookOverTenants(Persistence persistence) {
    try {
      persistence.system("order-saga demo: look whether the store can be used").due(1);
    } catch (Rejected e) {
      throw new UnusableInput(String.valueOf(e.getMessage()), e);
    }
  }

  private static void refuseForeignOrders(StoreSettings settings, Persistence persistence) {
    if (!settings
        .repositories(persistence, "demo")
        .executions()
        .list(Optional.empty(), 1, Optional.empty())
        .items()
        .isEmpty()) {
      throw new UnusableInput(
          "tenant '%s' has executions in the store already: name another tenant, or none for a new one"
              .formatted(settings.tenant()),
          null);
    }
  }

  /**
   * Makes the store of a new run.
   *
   * @param sealed false for a sabotaged run: it puts events where they do not belong, and there no
   *     sealed value opens, before any proof has looked
   */
  static RunStore begin(
      DemoStore store, boolean sealed, RunDirectory directory, Shutdown shutdown) {
    if (store instanceof DemoStore.Server other) {
      StoreSettings settings =
          settings(other, directory, other.tenant().orElseGet(RunStore::newTenant));
      StoredIn kind =
          new StoredIn(
              other.provider(), other.place(), settings.tenant(), false, storeId(settings));
      return new RunStore(kind, settings, sealed, shutdown, null);
    }
    String provider =
        store instanceof DemoStore.Alone alone
            ? alone.provider()
            : store instanceof DemoStore.Embedded ? POSTGRESQL : SQLITE;
    RunStore own = own(provider, sealed, directory, shutdown);
    if (sealed && own.isAlone()) {
      // Else the process that has the store would make it, and tell only its own log.
      EnvelopeSealingFactory.keys(own.settings.sealing()).ifPresent(keys -> keys.prepare(true));
    }
    return own;
  }

  /** Whether stores of this provider are files of a run. */
  static boolean isFile(String provider) {
    return provider.equals(SQLITE) || StoreSettings.isAlone(provider);
  }

  /** Whether one process at a time can have it open. */
  boolean isAlone() {
    return StoreSettings.isAlone(kind.provider());
  }

  private static RunStore own(
      String provider, boolean sealed, RunDirectory directory, Shutdown shutdown) {
    if (provider.equals(POSTGRESQL)) {
      EmbeddedServer server = EmbeddedServer.start(directory.server());
      StoreSettings settings =
          new StoreSettings(
              POSTGRESQL,
              modest(POSTGRESQL, server.settings()),
              keystore(directory.path()),
              TENANT);
      StoredIn kind =
          new StoredIn(POSTGRESQL, directory.server().toString(), TENANT, true, storeId(settings));
      return new RunStore(kind, settings, sealed, shutdown, server);
    }
    Path place = place(directory.path(), provider);
    StoreSettings settings = file(provider, place);
    settings.migrate();
    StoredIn kind = new StoredIn(provider, place.toString(), TENANT, false, storeId(settings));
    return new RunStore(kind, settings, sealed, shutdown, null);
  }

  /**
   * Opens the store of a run that was left.
   *
   * @param given what the user says now: a server needs its logins again, which are not kept
   * @param sealed as the run began
   */
  static RunStore resume(
      DemoStore given, boolean sealed, RunDirectory directory, Shutdown shutdown) {
    StoredIn former =
        Optional.ofNullable(directory.run().store())
            .orElseThrow(
                () ->
                    new UnusableInput(
                        directory.path() + " holds a run of an older version: --fresh begins again",
                        null));
    boolean ofOthers = !former.embedded() && !isFile(former.provider());
    if (ofOthers != (given instanceof DemoStore.Server)) {
      throw new UnusableInput(
          ofOthers
              ? "the run is in %s: give --provider %s --url and the logins again"
                  .formatted(former.text(), former.provider())
              : "the run is in %s: resume it without --url".formatted(former.text()),
          null);
    }
    boolean alone = StoreSettings.isAlone(former.provider());
    if (given instanceof DemoStore.Alone other
        ? !other.provider().equals(former.provider())
        : alone) {
      throw new UnusableInput(
          "the run is in %s: resume it %s"
              .formatted(
                  former.text(),
                  alone ? "with --provider " + former.provider() : "without --provider"),
          null);
    }
    RunStore store;
    if (given instanceof DemoStore.Server other) {
      StoreSettings settings = settings(other, directory, former.tenant());
      StoredIn kind =
          new StoredIn(other.provider(), other.place(), former.tenant(), false, storeId(settings));
      store = new RunStore(kind, settings, sealed, shutdown, null);
    } else {
      store = own(former.provider(), sealed, directory, shutdown);
    }
    if (!store.kind.storeId().equals(former.storeId())) {
      store.close();
      throw new UnusableInput(
          "the run is in another store, %s with the id %s: this one is %s"
              .formatted(former.text(), former.storeId(), store.kind.storeId()),
          null);
    }
    return store;
  }

  private static String storeId(StoreSettings settings) {
    try (var storage = settings.briefly().open()) {
      return storage.identity().storeId().toString();
    }
  }

  private static Path place(Path directory, String provider) {
    return provider.equals(SQLITE)
        ? RunDirectory.store(directory)
        : RunDirectory.store(directory, provider);
  }

  private static StoreSettings file(String provider, Path file) {
    // The library keeps the keys of a store in a file beside it.
    Map<String, String> sealing = Map.of("wovyr.storage.path", file.toString());
    return new StoreSettings(provider, Map.of("path", file.toString()), sealing, TENANT);
  }

  /** A keystore of the run's own, for a run that is given none. */
  private static Map<String, String> keystore(Path directory) {
    return Map.of(
        "wovyr.sealing.keystore.path",
        RunDirectory.keystore(directory).toString(),
        "wovyr.sealing.keystore.create",
        "true");
  }

  private static StoreSettings settings(
      DemoStore.Server other, RunDirectory directory, String tenant) {
    return new StoreSettings(
        other.provider(),
        modest(other.provider(), other.settings()),
        other.sealing().isEmpty() ? keystore(directory.path()) : other.sealing(),
        tenant);
  }

  /** For a look before there is a directory: it opens no values, and makes no keys. */
  private static StoreSettings looking(DemoStore.Server other, String tenant) {
    return new StoreSettings(
        other.provider(),
        modest(other.provider(), other.settings()),
        StoreSettings.UNSEALED,
        tenant);
  }

  /** There are many workers, and each uses few connections at a time. */
  private static Map<String, String> modest(String provider, Map<String, String> settings) {
    Map<String, String> few = new HashMap<>(settings);
    few.putIfAbsent("connections", "3");
    if (provider.equals(POSTGRESQL)) {
      few.putIfAbsent("system-connections", "1");
    }
    return few;
  }

  /** A store that others use as well has a tenant for every run. */
  private static String newTenant() {
    String time =
        DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss", Locale.ROOT)
            .withZone(ZoneOffset.UTC)
            .format(Instant.now());
    return TENANT + "-" + time + "-" + random();
  }

  private static String random() {
    return HexFormat.of().toHexDigits((short) ThreadLocalRandom.current().nextInt());
  }

  /** What {@code run.json} says about it. */
  StoredIn kind() {
    return kind;
  }

  StoreSettings settings() {
    return settings;
  }

  /**
   * An empty store for the undisturbed run: a file of its own, or a tenant of its own behind the
   * walls of the same database.
   *
   * @param scratch an empty directory
   */
  StoreSettings undisturbed(Path scratch) {
    if (isFile(kind.provider())) {
      // Under the keys of the run: a keystore of its own would be gone soon, and told of as a loss.
      StoreSettings file =
          file(kind.provider(), place(scratch, kind.provider())).sealedBy(settings.sealing());
      file.migrate();
      return file;
    }
    return new StoreSettings(
        settings.provider(),
        settings.settings(),
        settings.sealing(),
        settings.tenant() + "-undisturbed-" + random());
  }

  private void stopServer() {
    if (server != null) {
      server.close();
    }
  }

  @Override
  public void close() {
    stopServer();
    shutdown.remove(stopServer);
  }
}
