/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.core.WovyrPersistence;
import io.wovyr.persistence.storage.spi.StorageProvider;
import java.io.PrintStream;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** What all commands share: the console, the settings, the way to the store and to the output. */
abstract class StoreCommand implements Callable<Integer> {
  static final String POSTGRESQL = "postgresql";
  static final String ROCKSDB = "rocksdb";
  static final String FOUNDATIONDB = "foundationdb";
  static final String DYNAMODB = "dynamodb";

  /** Providers that can do without Hibernate until it is needed. */
  private static final Set<String> ON_DEMAND = Set.of(GlobalOptions.DEFAULT_PROVIDER, POSTGRESQL);

  @Spec private @Nullable CommandSpec spec;
  private @Nullable Settings settings;

  /** Does the work. */
  abstract ExitCode run();

  @Override
  public final Integer call() {
    Logging.configure(console().error(), options().verbose());
    return exitCode();
  }

  /** What the shell sees. */
  int exitCode() {
    return run().number();
  }

  private WovyrCommand root() {
    return (WovyrCommand) spec().root().userObject();
  }

  final CommandSpec spec() {
    if (spec == null) {
      throw new IllegalStateException("the command was not made by picocli");
    }
    return spec;
  }

  final Console console() {
    return root().console();
  }

  final GlobalOptions options() {
    return root().options();
  }

  final boolean json() {
    return options().format() == GlobalOptions.Format.json;
  }

  final PrintStream out() {
    return console().out();
  }

  /** Prints the answer in the form asked for. */
  final ExitCode answer(Answer answer) {
    if (json()) {
      Json.print(out(), answer.json());
    } else {
      answer.text(out());
    }
    return ExitCode.OK;
  }

  /** The settings, read once. */
  final Settings settings() {
    if (settings == null) {
      options().warnOfSecrets(console().error());
      settings = withDefaults(Settings.read(options().settings(), console()));
    }
    return settings;
  }

  private Settings withDefaults(Settings read) {
    boolean server =
        !options().namesStore()
            && read.get(Settings.URL, "").startsWith("jdbc:" + POSTGRESQL + ":");
    Settings found =
        read.orElse(Settings.PROVIDER, server ? POSTGRESQL : GlobalOptions.DEFAULT_PROVIDER);
    String provider = found.get(Settings.PROVIDER, "");
    if (provider.equals(GlobalOptions.DEFAULT_PROVIDER)) {
      if (options().namesUrl()) {
        throw new InvalidInput(
            options().namesProvider()
                ? "--url leads to a server; stores of the provider 'sqlite' are files: give --store"
                : "--url must be like jdbc:postgresql://host:5432/database; for the url of another"
                    + " provider name it with --provider");
      }
      if (options().namesStore()) {
        found = found.withoutServer();
      }
      found = found.orElse(Settings.PATH, GlobalOptions.DEFAULT_STORE);
    } else if (provider.equals(ROCKSDB)) {
      if (options().namesUrl()) {
        throw new InvalidInput(
            "--url leads to a server; stores of the provider 'rocksdb' are directories: give"
                + " --store");
      }
      found = found.withoutServer().orElse(Settings.PATH, GlobalOptions.DEFAULT_ROCKSDB_STORE);
    } else if (provider.equals(FOUNDATIONDB)) {
      if (options().namesUrl() || options().namesStore()) {
        throw new InvalidInput(
            "stores of the provider 'foundationdb' lie in a cluster: instead of --store and --url"
                + " give -Dwovyr.storage.cluster-file and -Dwovyr.storage.subspace");
      }
      found = found.withoutServer().without(Settings.PATH);
    } else if (provider.equals(DYNAMODB)) {
      if (options().namesStore()) {
        found = found.renamed(Settings.PATH, Settings.TABLE);
      }
      if (options().namesUrl()) {
        found = found.renamed(Settings.URL, Settings.ENDPOINT);
      }
      refuse(found, Settings.PATH, Settings.TABLE + ", or give --store");
      refuse(found, Settings.URL, Settings.ENDPOINT + ", or give --url");
      found = found.orElse(Settings.TABLE, GlobalOptions.DEFAULT_DYNAMODB_TABLE);
    } else if (provider.equals(POSTGRESQL) && options().namesStore()) {
      throw new InvalidInput("stores of the provider 'postgresql' are on a server: give --url");
    }
    return ON_DEMAND.contains(provider)
        ? found.orElse(Settings.HIBERNATE_START, "on-demand")
        : found;
  }

  /** What looks as if it named the store must name it: else another one would be worked on. */
  private static void refuse(Settings found, String name, String instead) {
    if (!found.get(name, "").isEmpty()) {
      throw new InvalidInput(
          "the provider 'dynamodb' does not read %s: set %s".formatted(name, instead));
    }
  }

  /** The provider chosen. */
  final StorageProvider provider() {
    String name = settings().get(Settings.PROVIDER, "");
    if (name.equals(POSTGRESQL) && settings().get(Settings.URL, "").isEmpty()) {
      throw new InvalidInput(
          "say where PostgreSQL is: --url jdbc:postgresql://host:5432/database, or the setting "
              + Settings.URL);
    }
    return Providers.named(name);
  }

  /**
   * Refuses to look over all tenants where nobody was named who may: said before anything is
   * opened.
   *
   * @param what wants to, for the message
   */
  final void requireSystemRole(String what) {
    boolean named =
        settings().storage().keySet().stream()
            .anyMatch(key -> key.matches("system-(user|password|url|datasource)"));
    if (settings().get(Settings.PROVIDER, "").equals(POSTGRESQL) && !named) {
      throw new InvalidInput(
          "%s looks over all tenants, as the system role alone may: say who that is by"
                  .formatted(what)
              + " wovyr.storage.system-user, and where its password is by"
              + " wovyr.storage.system-password");
    }
  }

  /** Which store, for people. */
  final String storeName() {
    String provider = settings().get(Settings.PROVIDER, "");
    String place = place();
    return place.isEmpty() ? provider : provider + " " + place;
  }

  /** Where the store is, for people: a file, a table, or host, port and database. */
  final String place() {
    String provider = settings().get(Settings.PROVIDER, "");
    if (provider.equals(FOUNDATIONDB)) {
      return settings().get(Settings.SUBSPACE, "wovyr");
    }
    if (provider.equals(DYNAMODB)) {
      return settings().get(Settings.TABLE, "");
    }
    boolean server = provider.equals(POSTGRESQL);
    String url = server ? settings().get(Settings.URL, "") : "";
    return server
        ? Secrets.masked(url).replaceFirst("^jdbc:postgresql:(//)?", "").replaceFirst("\\?.*$", "")
        : settings().get(Settings.PATH, "");
  }

  /** A command line for the same store and tenant, to be shown to a person. */
  final String again(String command) {
    return options().again(command);
  }

  final String tenant() {
    return settings().get(Settings.TENANT, GlobalOptions.DEFAULT_TENANT);
  }

  final WovyrPersistence open() {
    return WovyrPersistence.builder().provider(provider()).settings(settings().library()).build();
  }

  /** What the tenant's reader sees. */
  final Repositories repositories(Persistence persistence) {
    return repositories(persistence, tenant());
  }

  static Repositories repositories(Persistence persistence, String tenant) {
    return persistence.as(Caller.of(tenant, "wovyr command", Role.READER));
  }
}
