/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.time.Duration;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The server's health tells of the store. */
@ExtendWith(ArquillianExtension.class)
class HealthInServerIT {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final ServerHttp server =
      Surroundings.property("wovyr.test.server").equals("wildfly")
          ? ServerHttp.onPort(Surroundings.property("wovyr.test.management-port"), "")
          : ServerHttp.at("");

  @Deployment(testable = false)
  static EnterpriseArchive ear() {
    return Deployments.webOrders();
  }

  @Test
  void readinessIsDownWhileTheDatabaseIsAndLivenessIsNot() throws Exception {
    // A server that has just begun does not answer there yet.
    assertThat(check(await(200))).contains("\"status\":\"UP\"", "feedLagMillis");

    try (DatabaseDown unused = DatabaseDown.now()) {
      HttpResponse<String> down = await(503);
      assertThat(check(down)).contains("\"status\":\"DOWN\"");
      assertThat(down.body()).doesNotContain("jdbc", "wovyr_test", "127.0.0.1");
      assertThat(server.get("/health/live").statusCode()).isEqualTo(200);
    }
    assertThat(check(await(200))).contains("\"status\":\"UP\"");
  }

  private HttpResponse<String> await(int status) {
    long until = System.nanoTime() + PATIENCE.toNanos();
    HttpResponse<String> last = server.get("/health/ready");
    while (last.statusCode() != status) {
      assertThat(System.nanoTime()).as(last.body()).isLessThan(until);
      last = server.get("/health/ready");
    }
    return last;
  }

  /** Ours, of all checks, without spaces. */
  private static String check(HttpResponse<String> response) {
    String all = response.body().replaceAll("\\s", "");
    String name = "\"name\":\"wovyr-persistence\"";
    assertThat(all).containsOnlyOnce(name);
    int at = all.indexOf(name);
    int begin = all.lastIndexOf("{", at);
    int end = all.indexOf("\"name\"", at + name.length());
    return all.substring(begin, end < 0 ? all.length() : end);
  }
}
