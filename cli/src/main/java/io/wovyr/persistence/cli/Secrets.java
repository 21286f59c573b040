/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.encryption.key.KeystoreSettings;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import java.util.regex.Pattern;

/** Passwords on their way in, and kept from the way out. Stateless. */
final class Secrets {
  private static final String MASK = "...";
  private static final Pattern REFERENCE = Pattern.compile("(file|env):.+");
  private static final Pattern IN_URL =
      Pattern.compile("([?&](?:password|sslpassword)=)[^&]*", Pattern.CASE_INSENSITIVE);

  /** What other clients read as {@code user:password@}: the driver does not know it. */
  private static final Pattern BEFORE_HOST = Pattern.compile("^([^/?]*//)[^?]*@");

  private Secrets() {}

  /**
   * What {@code --password} leads to: a reference that is followed when a connection is made, or
   * what a person types in now. A password itself is refused: everybody on the machine could read
   * it.
   */
  static String given(String where) {
    if (REFERENCE.matcher(where).matches()) {
      return where;
    }
    if (!where.equals("ask")) {
      throw new InvalidInput(
          "--password takes no password, which other users of this machine could see, but where it"
              + " is: env:VARIABLE, file:PATH, or ask");
    }
    return Terminal.get()
        .map(terminal -> terminal.readPassword("Password: "))
        .map(String::new)
        .orElseThrow(
            () ->
                new InvalidInput(
                    "--password ask needs a terminal: give env:VARIABLE or file:PATH instead"));
  }

  /** Whether this setting is a password itself, not where one is. */
  static boolean isPassword(String key, String value) {
    return key.endsWith("password") && !REFERENCE.matcher(value).matches();
  }

  /** What to give instead of the password itself in this setting. */
  static String instead(String key) {
    return key.equals(KeystoreSettings.PASSWORD)
        ? "give %s or %s instead"
            .formatted(KeystoreSettings.PASSWORD_FILE, KeystoreSettings.PASSWORD_ENVIRONMENT)
        : "give -D %s=env:VARIABLE or file:PATH, or set it in the environment".formatted(key);
  }

  /** The value of a setting, for a person to see. */
  static String masked(String key, String value) {
    return isPassword(key, value) ? MASK : masked(value);
  }

  /** A URL, for a person to see. */
  static String masked(String url) {
    return IN_URL
        .matcher(BEFORE_HOST.matcher(url).replaceFirst("$1" + MASK + "@"))
        .replaceAll("$1" + MASK);
  }
}
