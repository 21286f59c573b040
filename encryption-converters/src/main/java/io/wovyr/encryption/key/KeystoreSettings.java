/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption.key;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.settings.spi.Setting;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Which keystore file holds the wrapping key, and how its password is found. Immutable.
 *
 * @param path the keystore file; the same content on all nodes of a store
 * @param type {@link #PKCS12} or {@link #BCFKS}
 * @param alias the entry that wraps new data keys; empty: the only AES key there is
 * @param create make the keystore, and a password file when the password comes from one that is
 *     missing, when the store has no data key yet. For a store embedded in one application; nodes
 *     that share a store are given their keystore
 * @since 0.1
 */
public record KeystoreSettings(
    Path path, String type, KeystorePassword password, Optional<String> alias, boolean create) {
  private static final String PREFIX = "wovyr.sealing.keystore.";

  /** The keystore file. Required. */
  public static final String PATH = "wovyr.sealing.keystore.path";

  /**
   * {@code PKCS12} or {@code BCFKS} (needs Bouncy Castle). Default: by the ending of the path,
   * {@code .bcfks} is BCFKS, all else PKCS12.
   */
  public static final String TYPE = "wovyr.sealing.keystore.type";

  /** The password itself. Prefer one of the two below: settings are easily shown. */
  public static final String PASSWORD = "wovyr.sealing.keystore.password";

  /** Name of the environment variable that holds the password. */
  public static final String PASSWORD_ENVIRONMENT = "wovyr.sealing.keystore.password-env";

  /**
   * File that holds the password, in UTF-8; one line end at its end is cut. Default, when no other
   * password setting is given: the keystore's path with {@code .password} appended.
   */
  public static final String PASSWORD_FILE = "wovyr.sealing.keystore.password-file";

  /** The keystore entry that wraps new data keys. Default: the only AES key in the keystore. */
  public static final String ALIAS = "wovyr.sealing.keystore.alias";

  /** {@code true} or {@code false}, the default: see {@link #create()}. */
  public static final String CREATE = "wovyr.sealing.keystore.create";

  /** Keystore type of the JDK. */
  public static final String PKCS12 = "PKCS12";

  /** Keystore type of Bouncy Castle, made for FIPS. */
  public static final String BCFKS = "BCFKS";

  /**
   * @throws InvalidInput for a type that is not known
   */
  public KeystoreSettings {
    if (!type.equals(PKCS12) && !type.equals(BCFKS)) {
      throw new InvalidInput(TYPE + " must be " + PKCS12 + " or " + BCFKS);
    }
  }

  /** A keystore for one embedded store: PKCS#12, made on first use, its password beside it. */
  public static KeystoreSettings embedded(Path path) {
    return new KeystoreSettings(
        path, typeOf(path), KeystorePassword.file(besides(path)), Optional.empty(), true);
  }

  /**
   * Reads the {@code wovyr.sealing.keystore.*} settings.
   *
   * @throws InvalidInput naming the setting that is missing, doubled or wrong
   */
  public static KeystoreSettings from(Map<String, String> settings) {
    String path = settings.get(PATH);
    if (path == null || path.isBlank()) {
      throw new InvalidInput(PATH + " is missing: give the path of the keystore file");
    }
    Path file = Path.of(path);
    String type = settings.getOrDefault(TYPE, typeOf(file)).toUpperCase(Locale.ROOT);
    return new KeystoreSettings(
        file,
        type,
        password(settings, file),
        Optional.ofNullable(settings.get(ALIAS)),
        flag(settings.getOrDefault(CREATE, "false")));
  }

  /**
   * Refuses settings of a keystore that no path names: nothing would read them.
   *
   * @throws InvalidInput naming them
   */
  public static void checkNoneWithoutPath(Map<String, String> settings) {
    List<String> alone =
        settings.keySet().stream().filter(name -> name.startsWith(PREFIX)).sorted().toList();
    if (!alone.isEmpty() && !settings.containsKey(PATH)) {
      throw new InvalidInput(
          "%s needs %s, which is missing: give the path of the keystore file (that of a store in a file is <store>.keystore, beside it), or take the other settings of the keystore away"
              .formatted(String.join(", ", alone), PATH));
    }
  }

  /** What can be set, for the reference page and the warning about unknown keys. */
  public static List<Setting> declared() {
    return List.of(
        setting(
            PATH,
            "beside a store in a file; else none: nothing sensitive is written",
            "file",
            "the keystore that wraps the data keys; the same content on all nodes of a store"),
        setting(
            TYPE,
            "by the ending: `.bcfks` is `BCFKS`, all else `PKCS12`",
            "`PKCS12` or `BCFKS`",
            "type of the keystore; `BCFKS` needs Bouncy Castle"),
        setting(
            PASSWORD,
            "none",
            "text",
            "the password itself; prefer one of the two below: settings are easily shown"),
        setting(
            PASSWORD_ENVIRONMENT,
            "none",
            "name",
            "the environment variable that holds the password"),
        setting(
            PASSWORD_FILE,
            "the keystore's path with `.password` appended",
            "file",
            "the file that holds the password, in UTF-8; one line end at its end is cut"),
        setting(
            ALIAS,
            "the only AES key in the keystore",
            "name",
            "the entry that wraps new data keys"),
        setting(
            CREATE,
            "false",
            "`true` or `false`",
            "make keystore and password file where they are missing and the store has no data key"
                + " yet"));
  }

  private static Setting setting(String name, String standard, String kind, String meaning) {
    return new Setting(
        name, standard, kind, meaning, "sealing by `envelope` ([more](encryption.md))");
  }

  private static KeystorePassword password(Map<String, String> settings, Path file) {
    String given = settings.get(PASSWORD);
    String environment = settings.get(PASSWORD_ENVIRONMENT);
    String passwordFile = settings.get(PASSWORD_FILE);
    int sources = (given == null ? 0 : 1) + (environment == null ? 0 : 1);
    if (sources + (passwordFile == null ? 0 : 1) > 1) {
      throw new InvalidInput(
          "give only one of " + PASSWORD + ", " + PASSWORD_ENVIRONMENT + ", " + PASSWORD_FILE);
    }
    if (given != null) {
      return KeystorePassword.of(given);
    }
    if (environment != null) {
      return KeystorePassword.environment(environment);
    }
    return KeystorePassword.file(passwordFile != null ? Path.of(passwordFile) : besides(file));
  }

  private static boolean flag(String value) {
    if (!value.equals("true") && !value.equals("false")) {
      throw new InvalidInput(CREATE + " must be true or false");
    }
    return value.equals("true");
  }

  private static String typeOf(Path path) {
    return path.toString().toLowerCase(Locale.ROOT).endsWith(".bcfks") ? BCFKS : PKCS12;
  }

  private static Path besides(Path path) {
    return path.resolveSibling(path.getFileName() + ".password");
  }
}
