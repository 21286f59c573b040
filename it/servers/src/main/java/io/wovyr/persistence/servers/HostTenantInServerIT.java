/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Whoever asks is known by a password, and their tenant by the host that they ask. */
@ExtendWith(ArquillianExtension.class)
class HostTenantInServerIT {
  private static final String PATH = "/asked";

  private final ServerHttp carla = ServerHttp.at("/tests").as("carla");

  @Deployment(testable = false)
  static EnterpriseArchive ear() {
    return Deployments.secured(
        "BASIC",
        """
        wovyr.tenant.resolver=host
        wovyr.tenant.host-suffix=orders.example.com
        wovyr.role.reader=clerk, viewer
        wovyr.role.writer=clerk
        wovyr.role.operator=clerk
        wovyr.role.auditor=clerk
        wovyr.role.security-officer=clerk
        wovyr.role.admin=clerk
        """,
        AskedServlet.class,
        EveryRepository.class);
  }

  @Test
  void theTenantIsTheLabelOfTheHost() {
    assertThat(ok(carla.get("acme.orders.example.com", PATH))).startsWith("acme carla ");
    assertThat(ok(carla.get("Globex.Orders.Example.com:8080", PATH))).startsWith("globex carla ");
    assertThat(ok(carla.as("vic").get("acme.orders.example.com", PATH)))
        .isEqualTo("acme vic [READER]");
  }

  @Test
  void anotherHostIsNoTenants() {
    for (String host :
        List.of(
            "orders.example.com",
            "a.b.orders.example.com",
            "acme.orders.example.org",
            "acmeorders.example.com",
            "127.0.0.1")) {
      ServerHttp.Answer refused = carla.get(host, PATH);
      assertThat(refused.statusCode()).as(host).isEqualTo(403);
      assertThat(refused.body()).doesNotContain("acme");
    }
  }

  @Test
  void everyRepositoryIsInjectedAndARecordOfEveryTypeIsWrittenAndReadAgain() {
    assertThat(ok(carla.get("acme.orders.example.com", PATH + "?text=order-17")).lines())
        .containsExactly(
            "execution order-17",
            "event order-17",
            "definition order-17",
            "activity order-17",
            "retry order-17",
            "compensation order-17",
            "schedule order-17",
            "checkpoint activity-completed",
            "audit order-17",
            "secret order-17",
            "metrics orders=17",
            "lease false",
            "feed true",
            "quarantine true");
  }

  @Test
  void whoMayOnlyReadWritesNothingWithThem() {
    ServerHttp.Answer refused =
        carla.as("vic").get("acme.orders.example.com", PATH + "?text=order-17");

    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body()).contains("vic");
  }

  private static String ok(ServerHttp.Answer response) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return response.body();
  }
}
