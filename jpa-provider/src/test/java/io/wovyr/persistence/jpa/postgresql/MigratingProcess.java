/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import java.util.Map;

/** Another process that migrates the database whose URL is its argument. */
final class MigratingProcess {
  private MigratingProcess() {}

  public static void main(String[] arguments) {
    new PostgresqlStorageProvider()
        .migrator()
        .migrate(
            Map.of("url", arguments[0], "user", "wovyr_test_owner", "password", "test"),
            step -> {});
  }
}
