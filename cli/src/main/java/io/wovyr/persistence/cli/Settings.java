/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.internal.FileReasons;
import io.wovyr.persistence.settings.spi.Setting;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.spi.ConfigBuilder;
import org.eclipse.microprofile.config.spi.ConfigProviderResolver;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.jspecify.annotations.Nullable;

/**
 * The {@code wovyr.*} settings of one run, from all their sources through MicroProfile Config: the
 * command line wins over system properties, these over the environment, that over {@code
 * wovyr.properties} in the current directory.
 */
final class Settings {
  static final String PREFIX = Setting.PREFIX;
  static final String FILE = "wovyr.properties";
  static final String PROVIDER = "wovyr.storage.provider";
  static final String PATH = "wovyr.storage.path";
  static final String SUBSPACE = "wovyr.storage.subspace";
  static final String URL = "wovyr.storage.url";
  static final String TABLE = "wovyr.storage.table";
  static final String ENDPOINT = "wovyr.storage.endpoint";
  static final String USER = "wovyr.storage.user";
  static final String PASSWORD = "wovyr.storage.password";

  /** A short command should not build what it may not need. */
  static final String HIBERNATE_START = "wovyr.storage.hibernate-start";

  static final String TENANT = "wovyr.cli.tenant";

  /** The settings of the providers; each warns of its own unknown ones. */
  private static final String STORAGE_PREFIX = "wovyr.storage.";

  private static final Pattern OF_SERVERS =
      Pattern.compile(
          "wovyr\\.storage\\.((system-|purge-|migration-)?(url|user|password)|role-prefix"
              + "|(system-)?connections|connect-timeout|idle-in-transaction-timeout)");

  private static final String ENVIRONMENT_PREFIX = "WOVYR_";

  /** Variables that are read elsewhere: by tests, and by the launcher. */
  private static final List<String> OTHER_VARIABLES = List.of("WOVYR_TEST_", "WOVYR_LAUNCHER_");

  private static final int COMMAND_LINE_ORDINAL = 500;
  private static final int ENVIRONMENT_ORDINAL = 300;
  private static final int FILE_ORDINAL = 200;

  private final Map<String, String> values;

  /** Those of the command alone, for the reference page. */
  static List<Setting> declared() {
    return List.of(
        new Setting(
            TENANT,
            "orders",
            "tenant",
            "whose records are shown and changed where no `--tenant` says so",
            "the `wovyr` command ([more](cli.md))"));
  }

  private Settings(Map<String, String> values) {
    this.values = values;
  }

  /**
   * @param commandLine what was given as options
   * @throws InvalidInput when the file cannot be read, or a value refers to one that is not there
   */
  static Settings read(Map<String, String> commandLine, Console console) {
    Map<String, String> environment = fromEnvironment(console.environment());
    Map<String, String> file = fromFile(console.directory().resolve(FILE));
    Set<String> names = new TreeSet<>(commandLine.keySet());
    names.addAll(environment.keySet());
    names.addAll(file.keySet());
    names.addAll(System.getProperties().stringPropertyNames());
    names.removeIf(name -> !name.startsWith(PREFIX));
    Config config =
        builder()
            .withSources(
                new MapSource("the command line", COMMAND_LINE_ORDINAL, commandLine),
                new MapSource("the environment", ENVIRONMENT_ORDINAL, environment),
                new MapSource(FILE, FILE_ORDINAL, file))
            .addDefaultSources()
            .build();
    Map<String, String> values = new TreeMap<>();
    for (String name : names) {
      value(config, name).ifPresent(value -> values.put(name, value));
    }
    return new Settings(values);
  }

  /** An empty value counts as none; one that refers to nothing must not pass for a default. */
  private static Optional<String> value(Config config, String name) {
    Optional<String> value = config.getOptionalValue(name, String.class);
    String raw = config.getConfigValue(name).getRawValue();
    if (value.isEmpty() && raw != null && !raw.isBlank()) {
      throw new InvalidInput(name + " refers to something that is not there");
    }
    return value;
  }

  private static ConfigBuilder builder() {
    return ConfigProviderResolver.instance().getBuilder();
  }

  /** The settings of the library, names complete. */
  Map<String, String> library() {
    Map<String, String> found = new HashMap<>(values);
    found.remove(TENANT);
    return found;
  }

  /** One setting, or a default. */
  String get(String name, String otherwise) {
    return values.getOrDefault(name, otherwise);
  }

  /** The settings of the storage provider, prefix removed. */
  Map<String, String> storage() {
    Map<String, String> found = new HashMap<>();
    values.forEach(
        (name, value) -> {
          if (name.startsWith(STORAGE_PREFIX)) {
            found.put(name.substring(STORAGE_PREFIX.length()), value);
          }
        });
    return found;
  }

  /** Without what leads to a server: a file that was named instead has no use for it. */
  Settings withoutServer() {
    Map<String, String> fewer = new TreeMap<>(values);
    fewer.keySet().removeIf(name -> OF_SERVERS.matcher(name).matches());
    return new Settings(fewer);
  }

  /** With the value of one name under another, whatever was there. */
  Settings renamed(String from, String to) {
    Map<String, String> other = new TreeMap<>(values);
    String value = other.remove(from);
    if (value != null) {
      other.put(to, value);
    }
    return new Settings(other);
  }

  /** Without the value of this name. */
  Settings without(String name) {
    Map<String, String> fewer = new TreeMap<>(values);
    fewer.remove(name);
    return new Settings(fewer);
  }

  /** With this value where there is none yet. */
  Settings orElse(String name, String value) {
    Map<String, String> more = new TreeMap<>(values);
    more.putIfAbsent(name, value);
    return new Settings(more);
  }

  /**
   * Setting names are {@code wovyr.<feature>.<property>}, the feature one word, the property in
   * kebab case: so {@code WOVYR_STORAGE_BUSY_TIMEOUT} can only be {@code
   * wovyr.storage.busy-timeout}.
   */
  private static Map<String, String> fromEnvironment(Map<String, String> environment) {
    Map<String, String> found = new HashMap<>();
    environment.forEach(
        (variable, value) -> {
          if (variable.startsWith(ENVIRONMENT_PREFIX)
              && OTHER_VARIABLES.stream().noneMatch(variable::startsWith)) {
            String[] parts =
                variable
                    .substring(ENVIRONMENT_PREFIX.length())
                    .toLowerCase(Locale.ROOT)
                    .split("_", 2);
            String property = parts.length < 2 ? "" : "." + parts[1].replace('_', '-');
            found.put(PREFIX + parts[0] + property, value);
          }
        });
    return found;
  }

  private static Map<String, String> fromFile(Path file) {
    Map<String, String> found = new HashMap<>();
    if (Files.isRegularFile(file)) {
      Properties properties = new Properties();
      try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
        properties.load(reader);
      } catch (IOException e) {
        throw new InvalidInput(
            "%s cannot be read: %s".formatted(file.toAbsolutePath(), FileReasons.of(e)));
      } catch (IllegalArgumentException e) {
        throw new InvalidInput(
            file.toAbsolutePath() + " cannot be read as a properties file: " + e.getMessage());
      }
      properties.stringPropertyNames().forEach(n -> found.put(n, properties.getProperty(n)));
    }
    return found;
  }

  /** A fixed set of values with its place in the order of sources. */
  private record MapSource(String name, int ordinal, Map<String, String> map)
      implements ConfigSource {
    @Override
    public int getOrdinal() {
      return ordinal;
    }

    @Override
    public String getName() {
      return name;
    }

    @Override
    public Set<String> getPropertyNames() {
      return map.keySet();
    }

    @Override
    public @Nullable String getValue(String propertyName) {
      return map.get(propertyName);
    }
  }
}
