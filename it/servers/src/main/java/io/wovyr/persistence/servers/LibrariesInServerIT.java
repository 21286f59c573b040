/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.storage.spi.StorageProvider;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManagerFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.eclipse.microprofile.config.Config;
import org.hibernate.SessionFactory;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

/** What the EAR brings is what runs, beside the server's own copies. */
@ExtendWith(ArquillianExtension.class)
class LibrariesInServerIT {
  @Inject @Any Instance<StorageProvider> providers;
  @Inject Persistence persistence;
  @Inject Config config;

  @Deployment
  static EnterpriseArchive ear() {
    return Deployments.of(LibrariesInServerIT.class, Captured.class, StoreSql.class);
  }

  @Test
  void storageProvidersAreFoundInTheLibraryFolder() {
    assertThat(providers.stream().map(StorageProvider::name))
        .containsExactlyInAnyOrder("postgresql", "sqlite");
  }

  @Test
  void theSealingProviderIsFoundInTheLibraryFolder() throws Exception {
    String canary = "canary-" + UUID.randomUUID();
    UUID id = UUID.randomUUID();
    Repositories orders = persistence.as(Caller.of("acme", "tester", Role.READER, Role.WRITER));
    NewExecution order =
        NewExecution.of(DefinitionRef.of("order", 1)).withId(id).withInput(Payload.text(canary));
    orders.executions().create(order).orThrow();

    // A row as text has its bytes in hexadecimal.
    String inClear = HexFormat.of().formatHex(canary.getBytes(StandardCharsets.UTF_8));
    assertThat(
            StoreSql.asTenant(config, "acme", "SELECT e::text FROM execution e WHERE e.id = ?", id))
        .singleElement()
        .asString()
        .contains(id.toString())
        .doesNotContain(inClear, canary);
  }

  @Test
  @DisplayName("Hibernate and Jakarta Persistence are the EAR's, not the server's older ones")
  void hibernateIsOurs() {
    assertThat(jarOf(SessionFactory.class)).contains("hibernate-core-7.");
    assertThat(jarOf(EntityManagerFactory.class)).contains("jakarta.persistence-api-3.2");
  }

  @Test
  @DisplayName("C125: all Jackson jars are of one version, and clear of the server's")
  void jacksonIsOfOneVersion() throws Exception {
    List<String> versions = new ArrayList<>();
    for (String module :
        List.of(
            "tools.jackson.core.json.PackageVersion",
            "tools.jackson.databind.cfg.PackageVersion",
            "tools.jackson.dataformat.cbor.PackageVersion")) {
      Object version = Class.forName(module).getField("VERSION").get(null);
      versions.add(version.toString());
      assertThat(jarOf(Class.forName(module))).contains("wovyr");
    }
    assertThat(versions).hasSize(3).allMatch(versions.get(0)::equals);
  }

  @Test
  void bouncyCastleIsOurs() throws Exception {
    assertThat(jarOf(Class.forName("org.bouncycastle.jce.provider.BouncyCastleProvider")))
        .contains("bcprov-jdk18on-1.87");
  }

  @Test
  @DisplayName("What we log by SLF4J is in the server's log, whoever's SLF4J it is")
  void linesReachTheServersLog() {
    Captured captured = new Captured();
    Logger logger = Logger.getLogger("io.wovyr.persistence.servers");
    logger.addHandler(captured);
    try {
      LoggerFactory.getLogger("io.wovyr.persistence.servers").warn("a line of {} words", 5);
    } finally {
      logger.removeHandler(captured);
    }
    assertThat(captured.lines).containsExactly("a line of 5 words");
  }

  private static String jarOf(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation().toString();
  }

  /** Keeps what is logged. */
  static final class Captured extends Handler {
    private final List<String> lines = new ArrayList<>();

    @Override
    public void publish(LogRecord record) {
      lines.add(new SimpleFormatter().formatMessage(record));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
