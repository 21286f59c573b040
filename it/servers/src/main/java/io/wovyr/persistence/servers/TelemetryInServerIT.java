/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.UUID;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The server's own OpenTelemetry exports what the store is measured by. */
@ExtendWith(ArquillianExtension.class)
class TelemetryInServerIT {
  /** Open Liberty shows the API only to applications that ask for it. */
  private static final String THIRD_PARTY = "<classloader apiTypeVisibility=\"+third-party\"/>";

  @Deployment(testable = false)
  static WebArchive startsTheServer() {
    return Deployments.empty();
  }

  @Test
  void metricsAndTracesAreExported() throws Exception {
    try (OtlpReceiver receiver = OtlpReceiver.start()) {
      EnterpriseArchive orders =
          Deployments.withLibrarySettings(
              Deployments.webOrders(),
              """
              otel.sdk.disabled=false
              otel.exporter.otlp.protocol=http/protobuf
              otel.exporter.otlp.endpoint=http://127.0.0.1:%d
              otel.traces.exporter=otlp
              otel.metrics.exporter=otlp
              otel.logs.exporter=none
              otel.metric.export.interval=500
              otel.bsp.schedule.delay=200
              """
                  .formatted(receiver.port()));
      try (DeployedByHand unused = DeployedByHand.deploy(orders, THIRD_PARTY)) {
        String tenant = "tenant-" + UUID.randomUUID();
        ServerHttp carla = ServerHttp.at("/web-orders/orders").as("carla").with("X-Tenant", tenant);
        Map<String, String> order = Map.of("number", "quay-north", "recipient", "Ada Lovelace");
        assertThat(carla.post("", order).statusCode()).isEqualTo(200);
        assertThat(carla.post("", order).statusCode()).isEqualTo(409);

        receiver.await(
            "/v1/metrics",
            "wovyr.read.duration",
            "wovyr.write.duration",
            "wovyr.transaction.duration",
            "wovyr.query.rows",
            "wovyr.lock.conflicts",
            "wovyr.storage.writable",
            "wovyr.feed.lag");
        receiver.await("/v1/traces", "wovyr transaction", "wovyr enlist", tenant);
        assertThat(receiver.all("/v1/metrics")).doesNotContain(tenant, "Lovelace", "quay-north");
        assertThat(receiver.all("/v1/traces")).doesNotContain("Lovelace", "quay-north");
      }
    }
  }
}
