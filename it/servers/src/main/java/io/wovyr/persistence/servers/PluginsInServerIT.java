/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.conformance.memory.MemoryStorageProvider;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.sealing.spi.SealingFactory;
import io.wovyr.persistence.servers.DeployedByHand.DeploymentFailed;
import io.wovyr.persistence.storage.spi.StorageProvider;
import java.io.File;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.EmptyAsset;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.jboss.shrinkwrap.api.spec.JavaArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Stores and sealings of others, in a jar of the EAR and in another deployment, are chosen by
 * settings.
 */
@ExtendWith(ArquillianExtension.class)
class PluginsInServerIT {
  private static final String MEMORY = "wovyr.storage.provider=memory\n";
  private static final String MIRROR = "wovyr.sealing.provider=mirror\n";

  @Deployment(testable = false)
  static WebArchive startsTheServer() {
    return Deployments.empty();
  }

  /** One deployment for both: each takes seconds. */
  @Test
  void aStoreAndKeysInJarsOfTheEarAreChosenBySettings() throws Exception {
    EnterpriseArchive ear =
        application(MEMORY + "wovyr.sealing.keys=" + MirrorKeys.NAME + "\n")
            .addAsLibraries(plugin(), keys());
    try (DeployedByHand unused = DeployedByHand.deploy(ear, "")) {
      assertThat(store()).startsWith("memory true [").endsWith("] [looking-glass]");
    }
  }

  @Test
  void aStoreInAnotherDeploymentIsChosenBySettings() throws Exception {
    assertChosenFromAnotherDeployment(plugin(), MEMORY, "memory true [");
  }

  @Test
  void aSealingInAJarOfTheEarIsChosenBySettings() throws Exception {
    EnterpriseArchive ear = application(MIRROR).addAsLibrary(sealing());
    try (DeployedByHand unused = DeployedByHand.deploy(ear, "")) {
      assertThat(store()).startsWith("postgresql true [looking-glass]");
    }
  }

  @Test
  void aSealingInAnotherDeploymentIsChosenBySettings() throws Exception {
    assertChosenFromAnotherDeployment(sealing(), MIRROR, "postgresql true [looking-glass]");
  }

  private static void assertChosenFromAnotherDeployment(
      JavaArchive plugin, String settings, String answer) throws IOException {
    if (Surroundings.property("wovyr.test.server").equals("wildfly")) {
      // It brings the api that both are to see; it hides the copy in the EAR.
      plugin.merge(jarOf(Persistence.class));
      try (DeployedByHand unused = DeployedByHand.deploy(plugin, "");
          DeployedByHand unusedToo = DeployedByHand.deploy(dependingOnIt(settings), "")) {
        assertThat(store()).startsWith(answer);
      }
      return;
    }
    Path file = Path.of(Surroundings.property("wovyr.test.directory")).resolve("plugin.jar");
    plugin.as(ZipExporter.class).exportTo(file.toFile(), true);
    String library =
        "<classloader><privateLibrary><file name=\"%s\"/></privateLibrary></classloader>"
            .formatted(file);
    EnterpriseArchive ear = application(settings);
    try (DeployedByHand unused = DeployedByHand.deploy(ear, library)) {
      assertThat(store()).startsWith(answer);
    } finally {
      Files.delete(file);
    }
  }

  @Test
  void oneThatIsMissingFailsTheDeploymentAndTheChoicesAreNamed() {
    EnterpriseArchive ear = application("wovyr.storage.provider=memory-2\n").addAsLibrary(plugin());
    assertThatThrownBy(() -> DeployedByHand.deploy(ear, ""))
        .isInstanceOf(DeploymentFailed.class)
        .hasMessageContaining("'memory-2'")
        .hasMessageContaining("[memory, postgresql, sqlite]");
  }

  @Test
  void noneThatIsChosenOfSeveralFailsTheDeploymentAndTheChoicesAreNamed() {
    EnterpriseArchive ear = application("wovyr.storage.provider=\n").addAsLibrary(plugin());
    assertThatThrownBy(() -> DeployedByHand.deploy(ear, ""))
        .isInstanceOf(DeploymentFailed.class)
        .hasMessageContaining("set wovyr.storage.provider to one storage provider of")
        .hasMessageContaining("[memory, postgresql, sqlite]");
  }

  @Test
  void aSealingThatIsMissingFailsTheDeploymentAndTheChoicesAreNamed() {
    EnterpriseArchive ear =
        application("wovyr.sealing.provider=mirror-2\n").addAsLibrary(sealing());
    assertThatThrownBy(() -> DeployedByHand.deploy(ear, ""))
        .isInstanceOf(DeploymentFailed.class)
        .hasMessageContaining("'mirror-2'")
        .hasMessageContaining("[envelope, mirror]");
  }

  @Test
  void noSealingThatIsChosenOfSeveralFailsTheDeploymentAndTheChoicesAreNamed() {
    EnterpriseArchive ear = application("wovyr.sealing.provider=\n").addAsLibrary(sealing());
    assertThatThrownBy(() -> DeployedByHand.deploy(ear, ""))
        .isInstanceOf(DeploymentFailed.class)
        .hasMessageContaining("set wovyr.sealing.provider to one sealing provider of")
        .hasMessageContaining("[envelope, mirror]");
  }

  private static EnterpriseArchive application(String settings) {
    return Deployments.withLibrarySettings(Deployments.of(StoreServlet.class), settings);
  }

  /** A store that needs nothing but the api, found as a service. */
  private static JavaArchive plugin() {
    return ShrinkWrap.create(JavaArchive.class, "plugin.jar")
        .addPackage(MemoryStorageProvider.class.getPackage())
        .addAsManifestResource(
            new StringAsset(MemoryStorageProvider.class.getName()),
            "services/" + StorageProvider.class.getName());
  }

  /** Keys of others: a sealing that needs nothing but the api, found as a service. */
  private static JavaArchive sealing() {
    return ShrinkWrap.create(JavaArchive.class, "plugin.jar")
        .addClasses(MirrorSealing.class, MirrorSealingFactory.class)
        .addAsManifestResource(
            new StringAsset(MirrorSealingFactory.class.getName()),
            "services/" + SealingFactory.class.getName());
  }

  /** Keys of the application's own, found as a bean. */
  private static JavaArchive keys() {
    return ShrinkWrap.create(JavaArchive.class, "keys.jar")
        .addClass(MirrorKeys.class)
        .addAsManifestResource(EmptyAsset.INSTANCE, "beans.xml");
  }

  private static JavaArchive jarOf(Class<?> type) {
    String file = type.getProtectionDomain().getCodeSource().getLocation().getPath();
    return ShrinkWrap.createFromZipFile(JavaArchive.class, new File(file));
  }

  /** As its page says: the EAR, with one dependency more. */
  private static EnterpriseArchive dependingOnIt(String settings) throws IOException {
    EnterpriseArchive ear = application(settings);
    String path = "META-INF/jboss-deployment-structure.xml";
    String text;
    try (var stream = ear.get(path).getAsset().openStream()) {
      text = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
    String dependency =
        "<dependencies><module name=\"deployment.plugin.jar\" services=\"import\""
            + " export=\"true\"/></dependencies>";
    ear.delete(path);
    return ear.addAsManifestResource(
        new StringAsset(text.replace("</exclusions>", "</exclusions>" + dependency)),
        "jboss-deployment-structure.xml");
  }

  private static String store() {
    HttpResponse<String> response = ServerHttp.at("/tests").get("/store");
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return response.body();
  }
}
