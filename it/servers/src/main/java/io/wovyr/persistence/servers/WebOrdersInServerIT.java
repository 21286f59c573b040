/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The sample application as it is, driven by HTTP by users whom the server authenticates. */
@ExtendWith(ArquillianExtension.class)
class WebOrdersInServerIT {
  private static final String CHECK = "tests_refuse_this";

  private final ServerHttp web = ServerHttp.at("/web-orders/orders");
  private final String tenant = "tenant-" + UUID.randomUUID();
  private final ServerHttp carla = web.as("carla").with("X-Tenant", tenant);
  private final ServerHttp vic = web.as("vic").with("X-Tenant", tenant);

  @Deployment(testable = false)
  static EnterpriseArchive ear() {
    return Deployments.webOrders();
  }

  @AfterEach
  void allowAllRows() throws SQLException {
    Surroundings.database()
        .run(
            "DROP TRIGGER IF EXISTS " + CHECK + " ON placed_order",
            "ALTER TABLE placed_order DROP CONSTRAINT IF EXISTS " + CHECK,
            "DROP FUNCTION IF EXISTS " + CHECK + "()");
  }

  @Test
  void anOrderIsPlacedByOneAndSeenByAnotherAndItsRecipientIsCiphertext() throws SQLException {
    String id = ok(place(carla, "4711", "Ada Lovelace"));

    assertThat(ok(vic.get("/4711"))).isEqualTo("4711 Ada Lovelace CREATED");
    String stored =
        query("SELECT encode(recipient, 'escape') FROM placed_order WHERE id = '" + id + "'")
            .get(0);
    assertThat(stored).hasSizeGreaterThan(40).doesNotContain("Lovelace");
    assertThat(query("SELECT updated_by FROM execution WHERE id = '%s'", id))
        .containsExactly("carla");
    assertThat(query("SELECT tenant_id FROM execution WHERE id = '%s'", id))
        .containsExactly(tenant);
  }

  @Test
  void whoIsNotKnownIsAskedWhoTheyAre() {
    assertThat(web.with("X-Tenant", tenant).get("/4711").statusCode()).isEqualTo(401);
    HttpResponse<String> wrong = web.as("carla", "wrong").with("X-Tenant", tenant).get("/4711");
    assertThat(wrong.statusCode()).isEqualTo(401);
    assertThat(wrong.headers().firstValue("WWW-Authenticate"))
        .hasValueSatisfying(asked -> assertThat(asked).startsWith("Basic"));
  }

  @Test
  void whoMayOnlyReadPlacesNothingAndIsToldNothingElse() throws SQLException {
    HttpResponse<String> refused = place(vic, "quay-north", "Ada Lovelace");

    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body())
        .doesNotContain("Lovelace", "quay-north", tenant, "io.wovyr", "\tat ");
    assertThat(rows()).isZero();
    assertThat(executions()).isZero();
  }

  @Test
  void whoHasNoRoleOfOursMayNothing() {
    ok(place(carla, "4711", "Ada Lovelace"));
    ServerHttp nora = web.as("nora").with("X-Tenant", tenant);

    HttpResponse<String> refused = nora.get("/4711");
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body()).doesNotContain("Lovelace", tenant, "io.wovyr", "\tat ");
    assertThat(place(nora, "4712", "Ada Lovelace").statusCode()).isEqualTo(403);
  }

  @Test
  void aRequestWithoutATenantOrWithABadOneIsRefused() {
    HttpResponse<String> none = web.as("carla").get("/4711");
    assertThat(none.statusCode()).isEqualTo(403);
    assertThat(none.body()).contains("names no tenant");
    for (String bad : List.of("$system", "a,b", "x".repeat(300))) {
      HttpResponse<String> refused = web.as("carla").with("X-Tenant", bad).get("/4711");
      assertThat(refused.statusCode()).as(bad).isEqualTo(403);
      assertThat(refused.body()).doesNotContain(bad);
    }
  }

  @Test
  void aNumberThatIsTakenIsAConflictAndLeavesNoSecondRow() throws SQLException {
    ok(place(carla, "4711", "Ada Lovelace"));

    HttpResponse<String> taken = place(carla, "4711", "Charles Babbage");
    assertThat(taken.statusCode()).isEqualTo(409);
    assertThat(taken.body()).doesNotContain("Lovelace", "Babbage");
    assertThat(rows()).isEqualTo(1);
    assertThat(executions()).isEqualTo(1);
    assertThat(ok(vic.get("/4711"))).contains("Ada Lovelace");
  }

  @Test
  @DisplayName("A row that the database refuses leaves no execution, and is no business of clients")
  void aRowThatIsRefusedLeavesNoExecution() throws SQLException {
    Surroundings.database()
        .run("ALTER TABLE placed_order ADD CONSTRAINT " + CHECK + " CHECK (number <> 'refused')");

    assertFailed(place(carla, "refused", "Ada Lovelace"));
    assertThat(rows()).isZero();
    assertThat(executions()).isZero();
    ok(place(carla, "accepted", "Ada Lovelace"));
  }

  @Test
  @DisplayName("A transaction that fails at its very end leaves neither the row nor the execution")
  void aCommitThatFailsTakesBoth() throws SQLException {
    atTheEnd("RAISE EXCEPTION 'not this one'");

    assertFailed(place(carla, "refused", "Ada Lovelace"));
    assertThat(rows()).isZero();
    assertThat(executions()).isZero();
    // The same number can be used at once.
    allowAllRows();
    ok(place(carla, "refused", "Ada Lovelace"));
  }

  @Test
  @DisplayName(
      "A connection that is lost in the commit leaves neither, and the next order is taken")
  void aLostConnectionTakesBoth() throws SQLException {
    atTheEnd("PERFORM pg_terminate_backend(pg_backend_pid())");

    assertFailed(place(carla, "lost", "Ada Lovelace"));
    assertThat(rows()).isZero();
    assertThat(executions()).isZero();
    allowAllRows();
    ok(place(carla, "next", "Ada Lovelace"));
  }

  @Test
  void twoTenantsRaceForTheSameNumbersAndNothingCrosses() throws Exception {
    List<String> tenants = List.of("north-" + UUID.randomUUID(), "south-" + UUID.randomUUID());
    int numbers = 15;
    int each = 3;
    ExecutorService threads = Executors.newFixedThreadPool(8);
    List<Future<Integer>> answers = new ArrayList<>();
    try {
      for (int i = 0; i < numbers * each * tenants.size(); i++) {
        String mine = tenants.get(i % tenants.size());
        String number = "no-" + (i / tenants.size() / each);
        ServerHttp clerk = web.as("carla").with("X-Tenant", mine);
        answers.add(threads.submit(() -> place(clerk, number, mine).statusCode()));
      }
      for (Future<Integer> answer : answers) {
        assertThat(answer.get()).isIn(200, 409);
      }
    } finally {
      threads.shutdownNow();
    }
    for (String mine : tenants) {
      ServerHttp viewer = web.as("vic").with("X-Tenant", mine);
      for (int number = 0; number < numbers; number++) {
        assertThat(ok(viewer.get("/no-" + number)))
            .isEqualTo("no-%d %s CREATED".formatted(number, mine));
      }
      assertThat(query("SELECT count(*) FROM placed_order WHERE tenant = '%s'", mine))
          .containsExactly("" + numbers);
      assertThat(query("SELECT count(*) FROM execution WHERE tenant_id = '%s'", mine))
          .containsExactly("" + numbers);
    }
  }

  /** Runs in the database when the transaction of a row is committed. */
  private static void atTheEnd(String statement) throws SQLException {
    Surroundings.database()
        .run(
            "CREATE FUNCTION %s() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN %s; RETURN NULL; END $$"
                .formatted(CHECK, statement),
            ("CREATE CONSTRAINT TRIGGER %1$s AFTER INSERT ON placed_order"
                    + " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION %1$s()")
                .formatted(CHECK));
  }

  private static HttpResponse<String> place(ServerHttp who, String number, String recipient) {
    return who.post("", Map.of("number", number, "recipient", recipient));
  }

  private static String ok(HttpResponse<String> response) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return response.body();
  }

  /** An answer that tells nothing of what is inside. */
  private static void assertFailed(HttpResponse<String> response) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(500);
    assertThat(response.body())
        .doesNotContain("Lovelace", "SQL", "Exception", "placed_order", "\tat ");
  }

  private long rows() throws SQLException {
    return Long.parseLong(
        query("SELECT count(*) FROM placed_order WHERE tenant = '" + tenant + "'").get(0));
  }

  private long executions() throws SQLException {
    return Long.parseLong(
        query("SELECT count(*) FROM execution WHERE tenant_id = '" + tenant + "'").get(0));
  }

  /** With the value in the place of each {@code %s}. */
  private static List<String> query(String sql, String value) throws SQLException {
    return query(sql.replace("%s", value));
  }

  private static List<String> query(String sql) throws SQLException {
    return Surroundings.database().query(sql);
  }
}
