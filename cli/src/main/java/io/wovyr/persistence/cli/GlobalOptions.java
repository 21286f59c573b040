/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The options every command takes, before or after its name. Filled in by picocli. */
final class GlobalOptions {
  /** Tenant of the demo's orders, so that the first look shows something. */
  static final String DEFAULT_TENANT = "orders";

  static final String DEFAULT_PROVIDER = "sqlite";
  static final String DEFAULT_STORE = "wovyr.db";
  static final String DEFAULT_ROCKSDB_STORE = "wovyr.rocksdb";
  static final String DEFAULT_DYNAMODB_TABLE = "wovyr";

  /** How answers are written. */
  enum Format {
    text,
    json
  }

  @Option(
      names = "--provider",
      paramLabel = "NAME",
      scope = ScopeType.INHERIT,
      description =
          "Storage provider, default sqlite, postgresql for a --url of one: wovyr provider list.")
  private @Nullable String provider;

  @Option(
      names = "--store",
      paramLabel = "PATH",
      scope = ScopeType.INHERIT,
      description =
          "The store: for sqlite its file, for rocksdb its directory, for dynamodb its table;"
              + " default ./"
              + DEFAULT_STORE
              + ", ./"
              + DEFAULT_ROCKSDB_STORE
              + ", "
              + DEFAULT_DYNAMODB_TABLE
              + ".")
  private @Nullable String store;

  @Option(
      names = "--url",
      paramLabel = "URL",
      scope = ScopeType.INHERIT,
      description =
          "Where the server is, such as jdbc:postgresql://host:5432/database; for dynamodb another"
              + " endpoint.")
  private @Nullable String url;

  @Option(
      names = "--user",
      paramLabel = "USER",
      scope = ScopeType.INHERIT,
      description = "Who logs in there: the runtime role; to migrate the migration role.")
  private @Nullable String user;

  @Option(
      names = "--password",
      paramLabel = "WHERE",
      scope = ScopeType.INHERIT,
      description = "Where the password is: env:VARIABLE, file:PATH, or ask.")
  private @Nullable String password;

  @Option(
      names = "--tenant",
      paramLabel = "TENANT",
      scope = ScopeType.INHERIT,
      description = "Whose records, default '" + DEFAULT_TENANT + "', that of the demo.")
  private @Nullable String tenant;

  @Option(
      names = "-D",
      paramLabel = "KEY=VALUE",
      scope = ScopeType.INHERIT,
      description = "A setting, such as -D wovyr.storage.busy-timeout=PT10S. Repeatable.")
  private Map<String, String> definitions = new LinkedHashMap<>();

  @Option(
      names = "--output",
      paramLabel = "FORMAT",
      defaultValue = "text",
      scope = ScopeType.INHERIT,
      description = "text (default) or json.")
  private Format format = Format.text;

  @Option(
      names = "--verbose",
      scope = ScopeType.INHERIT,
      description = "Log what is done, and show where a failure comes from.")
  private boolean verbose;

  Format format() {
    return format;
  }

  boolean verbose() {
    return verbose;
  }

  boolean namesTenant() {
    return tenant != null;
  }

  boolean namesStore() {
    return store != null;
  }

  boolean namesProvider() {
    return provider != null;
  }

  boolean namesUrl() {
    return url != null;
  }

  boolean namesUser() {
    return user != null;
  }

  boolean namesPassword() {
    return password != null;
  }

  /** What the options say, as settings. */
  Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>();
    definitions.forEach(
        (key, value) -> {
          if (!key.startsWith(Settings.PREFIX)) {
            throw new InvalidInput("-D takes settings that begin with wovyr., not '" + key + "'");
          }
          settings.put(key, value);
        });
    putIfGiven(settings, "--provider", Settings.PROVIDER, provider);
    putIfGiven(settings, "--store", Settings.PATH, store);
    putIfGiven(settings, "--url", Settings.URL, url);
    putIfGiven(settings, "--user", Settings.USER, user);
    putIfGiven(settings, "--tenant", Settings.TENANT, tenant);
    if (password != null) {
      settings.put(Settings.PASSWORD, Secrets.given(password));
    }
    return settings;
  }

  /** What stands on the command line for everybody on this machine to see. */
  void warnOfSecrets(PrintStream error) {
    List<String> seen =
        definitions.entrySet().stream()
            .filter(entry -> Secrets.isPassword(entry.getKey(), entry.getValue()))
            .map(Map.Entry::getKey)
            .sorted()
            .toList();
    if (seen.contains(Settings.PASSWORD) || (url != null && !Secrets.masked(url).equals(url))) {
      warn(error, "give --password env:VARIABLE, file:PATH or ask, or set it in the environment");
    }
    for (String key : seen) {
      if (!key.equals(Settings.PASSWORD)) {
        warn(error, Secrets.instead(key));
      }
    }
  }

  private static void warn(PrintStream error, String instead) {
    error.println(
        "warning: a password on the command line is seen by all users of this machine: " + instead);
  }

  /** A command line for the same store and tenant, to be shown to a person; without passwords. */
  String again(String command) {
    return again(command, tenant);
  }

  /**
   * As {@link #again(String)}.
   *
   * @param sameLogin false for what somebody else must do: then not as this user
   */
  String again(String command, boolean sameLogin) {
    return again(command, tenant, sameLogin);
  }

  /** As {@link #again(String)}, for this tenant. */
  String again(String command, @Nullable String otherTenant) {
    return again(command, otherTenant, true);
  }

  private String again(String command, @Nullable String otherTenant, boolean sameLogin) {
    StringBuilder line = new StringBuilder("wovyr ").append(command);
    appendIfGiven(line, "--provider", provider);
    appendIfGiven(line, "--store", store);
    appendIfGiven(line, "--url", url == null ? null : Secrets.masked(url));
    if (sameLogin) {
      appendIfGiven(line, "--user", user);
      appendIfGiven(line, "--password", password);
    }
    appendIfGiven(line, "--tenant", otherTenant);
    definitions.forEach(
        (key, value) -> appendIfGiven(line, "-D", key + "=" + Secrets.masked(key, value)));
    return line.toString();
  }

  private static void appendIfGiven(StringBuilder line, String name, @Nullable String value) {
    if (value != null) {
      line.append(' ').append(name).append(' ').append(ShellWord.of(value));
    }
  }

  /** An empty one, of a shell variable that is not set, must not pass for the default. */
  private static void putIfGiven(
      Map<String, String> into, String option, String key, @Nullable String value) {
    if (value == null) {
      return;
    }
    if (value.isBlank()) {
      throw new InvalidInput(option + " is empty: give a value, or leave the option out");
    }
    into.put(key, value);
  }
}
