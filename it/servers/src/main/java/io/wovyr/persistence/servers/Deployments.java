/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import java.io.File;
import java.util.Objects;
import org.assertj.core.api.Assertions;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.EmptyAsset;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.jboss.shrinkwrap.api.spec.JavaArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/** The EAR as it was built, with the WAR of an application in it. */
final class Deployments {
  private static final String SECURED =
      """
      <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0">
        <security-constraint>
          <web-resource-collection>
            <web-resource-name>all</web-resource-name>
            <url-pattern>/*</url-pattern>
          </web-resource-collection>
          <auth-constraint><role-name>**</role-name></auth-constraint>
        </security-constraint>
        <login-config><auth-method>%s</auth-method><realm-name>orders</realm-name></login-config>
        <security-role><role-name>clerk</role-name></security-role>
        <security-role><role-name>viewer</role-name></security-role>
      </web-app>
      """;

  private Deployments() {}

  /** The EAR with a WAR of these classes; the beans among them are found by their annotations. */
  static EnterpriseArchive of(Class<?>... classes) {
    return with(war(classes));
  }

  /** As {@link #of}, with settings of the application's own, which win over the server's. */
  static EnterpriseArchive with(String settings, Class<?>... classes) {
    return with(
        war(classes)
            .addAsResource(
                new StringAsset("config_ordinal=900\n" + settings),
                "META-INF/microprofile-config.properties"));
  }

  private static EnterpriseArchive with(WebArchive war) {
    return ear().addAsModule(war);
  }

  /**
   * An application whose users the server asks who they are; those who may clerk, view or garden
   * have a role of it.
   *
   * @param method how: {@code auth-method} of {@code web.xml}
   * @param settings of the whole EAR
   */
  static EnterpriseArchive secured(String method, String settings, Class<?>... classes) {
    WebArchive war =
        war(classes).addAsWebInfResource(new StringAsset(SECURED.formatted(method)), "web.xml");
    // That of the server goes with another resolver.
    return withLibrarySettings(with(war), "wovyr.tenant.header=\n" + settings);
  }

  /** With settings in a jar in {@code lib}, which are those of the whole EAR. */
  static EnterpriseArchive withLibrarySettings(EnterpriseArchive ear, String settings) {
    return ear.addAsLibrary(
        ShrinkWrap.create(JavaArchive.class, "settings.jar")
            .addAsResource(
                new StringAsset("config_ordinal=900\n" + settings),
                "META-INF/microprofile-config.properties"));
  }

  /**
   * An application that does nothing: for tests that deploy by themselves, into a server that runs.
   */
  static WebArchive empty() {
    return empty("empty.war");
  }

  static WebArchive empty(String name) {
    return ShrinkWrap.create(WebArchive.class, name)
        .addAsWebResource(new StringAsset("nothing"), "nothing.txt");
  }

  /** What {@code ear} built, unchanged. */
  static EnterpriseArchive ear() {
    File file = new File(Objects.requireNonNull(System.getProperty("wovyr.test.ear")));
    return ShrinkWrap.createFromZipFile(EnterpriseArchive.class, file);
  }

  /** The EAR with the sample application in it, as both were built. */
  static EnterpriseArchive webOrders() {
    return with(webOrdersWar());
  }

  /** As {@link #webOrders}, with settings of the application's own, which win over the server's. */
  static EnterpriseArchive webOrders(String settings) {
    return with(
        webOrdersWar()
            .addAsResource(
                new StringAsset("config_ordinal=900\n" + settings),
                "META-INF/microprofile-config.properties"));
  }

  private static WebArchive webOrdersWar() {
    File file =
        new File(
            Objects.requireNonNull(System.getProperty("wovyr.test.web-orders")),
            "target/web-orders.war");
    return ShrinkWrap.createFromZipFile(WebArchive.class, file);
  }

  private static WebArchive war(Class<?>... classes) {
    return ShrinkWrap.create(WebArchive.class, "tests.war")
        .addClasses(classes)
        .addClass(Deployments.class)
        .addAsWebInfResource(EmptyAsset.INSTANCE, "beans.xml")
        .addAsLibraries(jarOf(Assertions.class));
  }

  /** The file that a class comes from. */
  private static File jarOf(Class<?> type) {
    return new File(type.getProtectionDomain().getCodeSource().getLocation().getPath());
  }
}
