/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.storage.spi.Storage;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A server beyond loopback: with TLS and a verified host name, or not at all. The hosts of these
 * tests exist only for {@link ElsewhereSockets}, which lead them all to a real server on loopback.
 */
class TlsIT {
  private static final String HOST = "db.example.test";

  @TempDir static Path directory;
  private static TestCluster secured;
  private static TestCluster plain;

  @BeforeAll
  static void start() throws Exception {
    TestCertificate.make(directory, "server", HOST);
    TestCertificate.make(directory, "stranger", HOST);
    secured =
        TestCluster.start(
            directory.resolve("secured"),
            0,
            Map.of(
                "ssl", "on",
                "ssl_cert_file", directory.resolve("server.crt").toString(),
                "ssl_key_file", directory.resolve("server.key").toString()));
    secured.prepare();
    plain = TestCluster.start(directory.resolve("plain"), 0);
    plain.prepare();
  }

  @AfterAll
  static void stop() throws IOException {
    secured.close();
    plain.close();
  }

  private static Map<String, String> settings(TestCluster cluster, String host, String parameters) {
    Map<String, String> settings = new HashMap<>(cluster.settings());
    settings.put(
        "url",
        "jdbc:postgresql://"
            + host
            + ":"
            + cluster.port()
            + "/wovyr?socketFactory="
            + ElsewhereSockets.class.getName()
            + parameters);
    settings.put("hibernate-start", "on-demand");
    return settings;
  }

  private static Storage open(TestCluster cluster, String host, String parameters) {
    return new PostgresqlStorageProvider().open(settings(cluster, host, parameters));
  }

  private static String root(String name) {
    return "&sslrootcert=" + directory.resolve(name + ".crt");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "&sslmode=disable",
        "&sslmode=allow",
        "&sslmode=prefer",
        "&sslmode=require",
        "&sslmode=verify-ca",
        "&sslfactory=org.postgresql.ssl.NonValidatingFactory",
        "&sslhostnameverifier=org.postgresql.ssl.PGjdbcHostnameVerifier"
      })
  void lessThanAVerifiedHostNameIsRefused(String parameters) {
    assertThatThrownBy(() -> open(secured, HOST, parameters + root("server")))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("verify-full");
    assertThatThrownBy(() -> open(secured, "127.0.0.1," + HOST, parameters + root("server")))
        .as("one host of several is enough")
        .isInstanceOf(InvalidInput.class);
  }

  @Test
  void aVerifiedHostIsReachedWithTls() {
    for (String mode : new String[] {"", "&sslmode=verify-full"}) {
      try (Storage storage = open(secured, HOST, mode + root("server"))) {
        boolean encrypted =
            ((PostgresqlStorage) storage)
                .inspect(
                    StoreCheck.Role.RUNTIME,
                    connection -> {
                      try (Statement statement = connection.createStatement();
                          ResultSet row =
                              statement.executeQuery(
                                  "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")) {
                        return row.next() && row.getBoolean(1);
                      }
                    });
        assertThat(encrypted).isTrue();
      }
    }
  }

  @Test
  void anUntrustedServerIsRefused() {
    assertThatThrownBy(() -> open(secured, HOST, root("stranger")))
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("certificate");
  }

  @Test
  void aServerOfAnotherNameIsRefused() {
    assertThatThrownBy(() -> open(secured, "other.example.test", root("server")))
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("certificate");
  }

  @Test
  void aServerWithoutTlsIsRefused() {
    assertThatThrownBy(() -> open(plain, HOST, root("server")))
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("SSL");
  }

  @Test
  void loopbackNeedsNone() {
    open(plain, "127.0.0.1", "").close();
  }
}
