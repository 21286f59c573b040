/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import java.util.Map;
import java.util.Optional;

/** Where a run keeps its orders. */
public sealed interface DemoStore {
  /** A SQLite file in the directory of the run. */
  record Sqlite() implements DemoStore {}

  /**
   * A store in the directory of the run that one process at a time can have open.
   *
   * @param provider name of the storage provider
   */
  record Alone(String provider) implements DemoStore {}

  /**
   * A PostgreSQL server of the run's own, its data in the directory of the run: started and stopped
   * with it.
   */
  record Embedded() implements DemoStore {}

  /**
   * A store somebody else looks after, migrated, in the hands of plain roles.
   *
   * @param provider name of the storage provider
   * @param settings of the provider; the system role is needed beside the runtime role
   * @param sealing settings of the library ({@code wovyr.sealing.*}); none: a keystore in the
   *     directory of the run
   * @param place of the store, for people: no secrets
   * @param tenant whose records; empty for a new tenant of the run's own
   */
  record Server(
      String provider,
      Map<String, String> settings,
      Map<String, String> sealing,
      String place,
      Optional<String> tenant)
      implements DemoStore {
    /** Copies the settings. */
    public Server {
      settings = Map.copyOf(settings);
      sealing = Map.copyOf(sealing);
    }

    /** Without the settings, which may hold passwords. */
    @Override
    public String toString() {
      return provider + " " + place;
    }
  }
}
