/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/**
 * Where and as whom to connect. Beyond loopback only with TLS and a verified host name: a URL that
 * asks for less is refused. Immutable.
 *
 * @param role what the connection is for, as named in messages
 * @param url of the driver, {@code jdbc:postgresql:…}
 * @param user empty: as the URL says
 * @param password empty: as the URL says
 */
record Login(String role, String url, Optional<String> user, Optional<Secret> password)
    implements Access {
  private static final String VERIFIED = "verify-full";

  /** The factories that check certificates. */
  private static final Set<String> CHECKING =
      Set.of("org.postgresql.ssl.LibPQFactory", "org.postgresql.ssl.DefaultJavaSSLFactory");

  private static final Set<String> LOOPBACK = Set.of("localhost", "::1", "[::1]");

  Login {
    checkTls(parsed(url), url);
  }

  private static Properties parsed(String url) {
    String place = withoutSecrets(url);
    if (place.contains("@")) {
      // The driver would take it for a part of the host's name, and messages would show it.
      throw new InvalidInput(
          "the URL of a store has no user and no password before the host (...@host): give them as"
              + " wovyr.storage.user and wovyr.storage.password; an @ in the name of a database is"
              + " written %40");
    }
    Properties parsed = Driver.parseURL(url, new Properties());
    if (parsed == null) {
      throw new InvalidInput(
          "wovyr.storage.url must be like jdbc:postgresql://host:5432/database, not " + place);
    }
    return parsed;
  }

  private static String withoutSecrets(String url) {
    int parameters = url.indexOf('?');
    return parameters < 0 ? url : url.substring(0, parameters) + "?...";
  }

  private static void checkTls(Properties parsed, String url) {
    if (isLoopback(parsed)) {
      return;
    }
    String mode = parsed.getProperty(PGProperty.SSL_MODE.getName(), VERIFIED);
    String factory =
        parsed.getProperty(PGProperty.SSL_FACTORY.getName(), CHECKING.iterator().next());
    boolean ownVerifier = parsed.getProperty(PGProperty.SSL_HOSTNAME_VERIFIER.getName()) != null;
    if (!mode.equals(VERIFIED) || !CHECKING.contains(factory) || ownVerifier) {
      throw new InvalidInput(
          "a server that is not on this machine is reached with TLS and a verified host name only:"
              + " use sslmode=verify-full (the default), with sslrootcert where the authority is"
              + " not in ~/.postgresql/root.crt, in "
              + withoutSecrets(url));
    }
  }

  private static boolean isLoopback(Properties parsed) {
    for (String host : parsed.getProperty(PGProperty.PG_HOST.getName(), "").split(",")) {
      String name = host.trim().toLowerCase(Locale.ROOT);
      if (!LOOPBACK.contains(name) && !name.matches("127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}")) {
        return false;
      }
    }
    return true;
  }

  /** Host, port and database. */
  @Override
  public String place() {
    Properties parsed = parsed(url);
    return parsed.getProperty(PGProperty.PG_HOST.getName())
        + ":"
        + parsed.getProperty(PGProperty.PG_PORT.getName())
        + "/"
        + parsed.getProperty(PGProperty.PG_DBNAME.getName());
  }

  /** What the driver is given beside the URL, whose own parameters win. */
  Properties properties() {
    Properties properties = new Properties();
    user.ifPresent(name -> properties.setProperty(PGProperty.USER.getName(), name));
    password.ifPresent(
        secret -> properties.setProperty(PGProperty.PASSWORD.getName(), secret.read()));
    Properties parsed = parsed(url);
    if (!isLoopback(parsed)) {
      properties.setProperty(PGProperty.SSL_MODE.getName(), VERIFIED);
    }
    if (parsed.getProperty(PGProperty.PG_HOST.getName(), "").contains(",")) {
      properties.setProperty(PGProperty.TARGET_SERVER_TYPE.getName(), "primary");
      // What was a standby a moment ago may be the primary now.
      properties.setProperty(PGProperty.HOST_RECHECK_SECONDS.getName(), "1");
    }
    return properties;
  }

  /** Neither here nor in the URL; the driver may still find one in a file of its own. */
  @Override
  public boolean hasNoPassword() {
    return password.isEmpty()
        && parsed(url).getProperty(PGProperty.PASSWORD.getName(), "").isEmpty();
  }

  /** Neither here nor in the URL: then the driver takes the name of the system's user. */
  @Override
  public boolean hasNoUser() {
    return user.isEmpty() && parsed(url).getProperty(PGProperty.USER.getName(), "").isEmpty();
  }

  @Override
  public String toCheck() {
    return "wovyr.storage.url";
  }

  @Override
  public String limit() {
    return "wovyr.storage.connections";
  }

  /** A login of another role: what is not given is as here. */
  Login as(
      String otherRole,
      @Nullable String otherUrl,
      @Nullable String otherUser,
      Optional<Secret> otherPassword) {
    if (otherUrl != null) {
      return new Login(otherRole, otherUrl, Optional.ofNullable(otherUser), otherPassword);
    }
    return otherUser != null
        ? new Login(otherRole, url, Optional.of(otherUser), otherPassword)
        : new Login(otherRole, url, user, otherPassword.or(() -> password));
  }
}
