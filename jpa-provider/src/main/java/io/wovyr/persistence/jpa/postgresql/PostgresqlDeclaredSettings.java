/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.persistence.settings.spi.Setting;
import java.util.ArrayList;
import java.util.List;

/** What {@link PostgresqlSettings} reads, for the reference page. */
final class PostgresqlDeclaredSettings {
  private static final String WHERE = "stores in PostgreSQL ([more](stores/postgresql.md))";

  private PostgresqlDeclaredSettings() {}

  static List<Setting> all() {
    List<Setting> all = new ArrayList<>();
    addLogins(all);
    all.add(
        setting(
            PostgresqlSettings.JTA_DATASOURCE,
            "as `datasource`",
            "name in JNDI",
            "DataSource over which JTA transactions of callers are joined, with a login as the"
                + " runtime role's"));
    all.add(
        setting(
            PostgresqlSettings.ROLE_PREFIX,
            "wovyr",
            "name",
            "begins the names of the roles that hold the rights; equal on all nodes"));
    all.add(
        setting(
            PostgresqlSettings.CONNECTIONS,
            "16",
            "number, 1 to 500",
            "most connections of the runtime role; opened as they are needed"));
    all.add(
        setting(
            PostgresqlSettings.SYSTEM_CONNECTIONS,
            "2",
            "number, 1 to 100",
            "likewise of the system role"));
    all.add(
        setting(
            PostgresqlSettings.CONNECT_TIMEOUT,
            "PT5S",
            "duration, PT0.25S to PT1M",
            "how long one try to connect may take"));
    all.add(
        setting(
            PostgresqlSettings.IDLE_IN_TRANSACTION,
            "PT5S",
            "duration, PT0.1S to PT10M",
            "how long the server lets a transaction of a stalled process keep its locks"));
    all.add(
        setting(
            PostgresqlSettings.HIBERNATE_START,
            "background",
            "`background` or `on-demand`",
            "when Hibernate is built: beside the first calls, or when a call first needs it"));
    all.add(
        setting(
            PostgresqlSettings.MIGRATE_WAIT,
            "PT30S",
            "duration, PT0.001S to PT1H",
            "how long a migration waits for another one"));
    return List.copyOf(all);
  }

  private static void addLogins(List<Setting> all) {
    all.add(
        setting(
            PostgresqlSettings.URL,
            "required, or `datasource`",
            "JDBC URL",
            "`jdbc:postgresql://host:5432/database`; several hosts, separated by commas: the primary"
                + " among them"));
    addLogin(all, "", "as the URL says", "the runtime role");
    addRole(
        all, PostgresqlSettings.SYSTEM, "none", "the system role, which looks over all tenants");
    addRole(all, PostgresqlSettings.PURGE, "none", "the purge role, which removes history");
    addRole(
        all,
        PostgresqlSettings.MIGRATION,
        "as the runtime role",
        "the owner of the tables, for migrations");
    addDatasource(all, "", "the runtime role");
    addDatasource(all, PostgresqlSettings.SYSTEM, "the system role");
    addDatasource(all, PostgresqlSettings.PURGE, "the purge role");
  }

  private static void addRole(List<Setting> all, String prefix, String standard, String role) {
    all.add(
        setting(
            prefix + PostgresqlSettings.URL, "as the runtime role", "JDBC URL", "URL for " + role));
    addLogin(all, prefix, standard, role);
  }

  private static void addLogin(List<Setting> all, String prefix, String standard, String role) {
    all.add(setting(prefix + PostgresqlSettings.USER, standard, "name", "login of " + role));
    all.add(
        setting(
            prefix + PostgresqlSettings.PASSWORD,
            standard,
            "text, `file:` and a path, or `env:` and a variable",
            "password of " + role + "; read at each connect"));
  }

  private static void addDatasource(List<Setting> all, String prefix, String role) {
    all.add(
        setting(
            prefix + PostgresqlSettings.DATASOURCE,
            "none",
            "name in JNDI",
            "DataSource of the container for " + role + ", instead of its URL, user and password"));
  }

  private static Setting setting(String key, String standard, String kind, String meaning) {
    return new Setting("wovyr.storage." + key, standard, kind, meaning, WHERE);
  }
}
