/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.cdi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.PersistenceException.AccessDenied;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.core.cdi.Application.CurrentRequest;
import io.wovyr.persistence.core.cdi.Application.Memory;
import io.wovyr.persistence.core.cdi.Application.Request;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.ExecutionQuery;
import io.wovyr.persistence.execution.Executions;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.request.spi.IncomingRequest;
import io.wovyr.persistence.request.spi.TenantResolver;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Injected repositories belong to the caller of the request, and to nobody without one. */
final class RequestRepositoriesTest {
  private static final Map<String, String> ROLES =
      Map.of("wovyr.role.reader", "viewers", "wovyr.role.writer", "clerks,bots\\, all");
  private static final String TOO_LONG = "a".repeat(101);

  /** Ask the injected {@link Repositories} for them: they must not outlive their request. */
  private static final Set<String> NOT_INJECTED = Set.of("caller", "unitOfWork");

  /** A bean that lives as long as the application. */
  @ApplicationScoped
  static class Orders {
    @Inject Executions executions;
    @Inject Repositories repositories;

    UUID start(String order) {
      return executions
          .create(NewExecution.of(DefinitionRef.of("order", 1)).withWorkflowId(order))
          .orThrow()
          .records(WorkflowExecution.class)
          .get(0)
          .id();
    }

    boolean isThere(UUID id) {
      return executions.find(id).isPresent();
    }

    List<WorkflowExecution> first(int limit) {
      return executions.find(ExecutionQuery.all(), limit, Optional.empty()).items();
    }

    Caller caller() {
      return repositories.caller();
    }
  }

  /** Tells tenants by who is calling. */
  @ApplicationScoped
  static class ByActor implements TenantResolver {
    @Override
    public String name() {
      return "actor";
    }

    @Override
    public Optional<String> resolve(IncomingRequest request) {
      return request.actor().map(actor -> actor.substring(actor.indexOf('@') + 1));
    }
  }

  private static Application start(Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(ROLES);
    all.putAll(settings);
    return Application.start(all, Orders.class, Memory.class, CurrentRequest.class, ByActor.class);
  }

  private static Request ada() {
    return Request.by("ada", "viewers", "clerks");
  }

  private static Stream<Method> offered() {
    return Arrays.stream(Repositories.class.getMethods())
        .filter(method -> method.getParameterCount() == 0)
        .filter(method -> !NOT_INJECTED.contains(method.getName()));
  }

  @Test
  void everyRepositoryIsInjectableAndIsTheCallers() {
    try (Application application = start(Map.of())) {
      assertThat(offered()).hasSizeGreaterThan(12);
      application.in(
          ada().claiming("acme"),
          () -> {
            for (Method method : offered().toList()) {
              assertThat(application.has(method.getReturnType())).as(method.getName()).isTrue();
            }
            return null;
          });
      assertThat(RepositoryProducer.types())
          .containsExactlyInAnyOrderElementsOf(
              Stream.concat(offered().map(Method::getReturnType), Stream.of(Repositories.class))
                  .toList());
    }
  }

  @Test
  void workIsRecordedUnderTheAuthenticatedCallerAndTheClaimedTenant() {
    try (Application application = start(Map.of())) {
      Orders orders = application.get(Orders.class);
      UUID id = application.in(ada().claiming("acme"), () -> orders.start("order-1"));

      WorkflowExecution stored =
          application
              .get(Persistence.class)
              .as(Caller.of("acme", "test", Role.READER))
              .executions()
              .find(id)
              .orElseThrow();
      assertThat(stored.header().updatedBy()).isEqualTo("ada");
      assertThat(stored.header().tenantId()).isEqualTo("acme");
    }
  }

  @Test
  void oneBeanSeesTheTenantOfEachRequestOnly() {
    try (Application application = start(Map.of())) {
      Orders orders = application.get(Orders.class);
      UUID acmes = application.in(ada().claiming("acme"), () -> orders.start("order-1"));

      assertThat(application.in(ada().claiming("globex"), () -> orders.isThere(acmes))).isFalse();
      assertThat(application.in(ada().claiming("acme"), () -> orders.isThere(acmes))).isTrue();
    }
  }

  /** C074: the tenant of one request never shows in another, on whatever thread. */
  @Test
  void twoTenantsAtTheSameTimeSeeTheirOwn() throws Exception {
    try (Application application = start(Map.of())) {
      Orders orders = application.get(Orders.class);
      CyclicBarrier together = new CyclicBarrier(2);
      ExecutorService threads = Executors.newFixedThreadPool(2);
      try {
        List<Future<Boolean>> answers =
            threads.invokeAll(
                List.of(
                    sees(application, orders, "acme", together),
                    sees(application, orders, "globex", together)));
        for (Future<Boolean> answer : answers) {
          assertThat(answer.get(30, TimeUnit.SECONDS)).isTrue();
        }
        Callable<Caller> afterwards = orders::caller;
        for (int i = 0; i < 2; i++) {
          Future<Caller> none = threads.submit(afterwards);
          assertThatThrownBy(none::get).hasRootCauseInstanceOf(AccessDenied.class);
        }
      } finally {
        threads.shutdownNow();
      }
    }
  }

  private static Callable<Boolean> sees(
      Application application, Orders orders, String tenant, CyclicBarrier together) {
    return () ->
        application.in(
            ada().claiming(tenant),
            () -> {
              for (int round = 0; round < 50; round++) {
                together.await(10, TimeUnit.SECONDS);
                UUID id = orders.start(tenant + "-" + round);
                List<WorkflowExecution> mine = orders.first(1_000);
                boolean onlyMine =
                    mine.stream().allMatch(one -> one.workflowId().startsWith(tenant))
                        && mine.stream().anyMatch(one -> one.id().equals(id));
                if (!onlyMine || !orders.caller().tenant().value().equals(tenant)) {
                  return false;
                }
              }
              return true;
            });
  }

  @Test
  void outsideOfARequestItSaysWhatToDo() {
    try (Application application = start(Map.of("wovyr.tenant.default", "acme"))) {
      Orders orders = application.get(Orders.class);
      assertThatThrownBy(() -> orders.start("order-1"))
          .isInstanceOf(AccessDenied.class)
          .hasMessageContaining("persistence.as(caller)");
    }
  }

  @Test
  void anAnonymousRequestIsRefusedWhateverTenantItNames() {
    try (Application application = start(Map.of("wovyr.tenant.default", "acme"))) {
      Orders orders = application.get(Orders.class);
      assertThatThrownBy(() -> application.in(Request.anonymous().claiming("acme"), orders::caller))
          .isInstanceOf(AccessDenied.class)
          .hasMessageContaining("no authenticated caller");
    }
  }

  @ParameterizedTest
  @EnumSource(Role.class)
  void eachRoleIsGivenToItsGroupAndToNobodyElse(Role role) {
    Map<String, String> settings = new HashMap<>();
    for (Role each : Role.values()) {
      String name = each.name().toLowerCase(Locale.ROOT).replace('_', '-');
      settings.put("wovyr.role." + name, "the-" + name + "s, also-" + name);
    }
    String name = role.name().toLowerCase(Locale.ROOT).replace('_', '-');
    try (Application application = start(settings)) {
      Orders orders = application.get(Orders.class);
      for (String group : List.of("the-" + name + "s", "also-" + name)) {
        assertThat(
                application.in(Request.by("ada", group).claiming("acme"), orders::caller).roles())
            .containsExactly(role);
      }
      assertThat(
              application
                  .in(Request.by("ada", name, role.name()).claiming("acme"), orders::caller)
                  .roles())
          .as("our names are nothing to the container unless the settings say so")
          .isEmpty();
    }
  }

  @Test
  void whoIsInNoMappedGroupMayDoNothing() {
    try (Application application = start(Map.of())) {
      Orders orders = application.get(Orders.class);
      Request stranger = Request.by("eve", "WRITER", "writer", "admin").claiming("acme");
      assertThatThrownBy(() -> application.in(stranger, () -> orders.start("order-1")))
          .isInstanceOf(AccessDenied.class)
          .hasMessageContaining("eve")
          .hasMessageContaining("WORK");
      assertThatThrownBy(() -> application.in(stranger, () -> orders.isThere(UUID.randomUUID())))
          .isInstanceOf(AccessDenied.class)
          .hasMessageContaining("READ");
    }
  }

  @Test
  void whoMayReadMayNotWrite() {
    try (Application application = start(Map.of())) {
      Orders orders = application.get(Orders.class);
      Request viewer = Request.by("vic", "viewers").claiming("acme");
      assertThat(application.in(viewer, () -> orders.isThere(UUID.randomUUID()))).isFalse();
      assertThatThrownBy(() -> application.in(viewer, () -> orders.start("order-1")))
          .isInstanceOf(AccessDenied.class);
    }
  }

  @Test
  void aGroupMayHaveACommaInItsName() {
    try (Application application = start(Map.of())) {
      Orders orders = application.get(Orders.class);
      Request bot = Request.by("bot-7", "bots, all").claiming("acme");
      assertThat(application.in(bot, orders::caller).roles()).containsExactly(Role.WRITER);
    }
  }

  @Test
  void aHeaderIsNotTrustedUnlessTheSettingsNameIt() {
    Request forged = ada().withHeader("X-Tenant", "globex").to("globex.example.com");
    try (Application application = start(Map.of())) {
      Orders orders = application.get(Orders.class);
      assertThatThrownBy(() -> application.in(forged, orders::caller))
          .isInstanceOf(AccessDenied.class)
          .hasMessageContaining("names no tenant");
      assertThat(application.in(forged.claiming("acme"), orders::caller).tenant().value())
          .isEqualTo("acme");
    }
    try (Application application =
        start(Map.of("wovyr.tenant.resolver", "header", "wovyr.tenant.header", "X-Org"))) {
      Orders orders = application.get(Orders.class);
      assertThatThrownBy(() -> application.in(forged, orders::caller))
          .isInstanceOf(AccessDenied.class);
      assertThat(application.in(ada().withHeader("X-Org", "acme"), orders::caller).tenant().value())
          .isEqualTo("acme");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"acme,globex", "acme, globex"})
  void aHeaderThatNamesSeveralTenantsIsRefused(String folded) {
    try (Application application =
        start(
            Map.of(
                "wovyr.tenant.resolver", "header",
                "wovyr.tenant.header", "X-Org",
                "wovyr.tenant.default", "initech"))) {
      Orders orders = application.get(Orders.class);
      for (Request request :
          List.of(ada().withHeader("X-Org", folded), ada().withHeader("X-Org", "acme", "globex"))) {
        assertThatThrownBy(() -> application.in(request, orders::caller))
            .isInstanceOf(AccessDenied.class)
            .hasMessageContaining("several tenants");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"acme.orders.example.com", "ACME.Orders.Example.COM"})
  void theHostNamesTheTenantWhereTheSettingsSayHow(String host) {
    try (Application application =
        start(
            Map.of(
                "wovyr.tenant.resolver", "host",
                "wovyr.tenant.host-suffix", ".Orders.example.com"))) {
      Orders orders = application.get(Orders.class);
      assertThat(application.in(ada().to(host), orders::caller).tenant().value()).isEqualTo("acme");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "orders.example.com.evil.net",
        "acmeorders.example.com",
        "a.b.orders.example.com",
        ".orders.example.com",
        "127.0.0.1",
        "$system.orders.example.com"
      })
  void aHostOfNoTenantIsRefusedAlsoWithADefault(String host) {
    try (Application application =
        start(
            Map.of(
                "wovyr.tenant.resolver", "host",
                "wovyr.tenant.host-suffix", "orders.example.com",
                "wovyr.tenant.default", "initech"))) {
      Orders orders = application.get(Orders.class);
      assertThatThrownBy(() -> application.in(ada().to(host), orders::caller))
          .isInstanceOf(AccessDenied.class);
      assertThat(application.in(ada().to("orders.example.com"), orders::caller).tenant().value())
          .isEqualTo("initech");
    }
  }

  private static Stream<Arguments> badTenants() {
    return Stream.of("claim", "header", "actor")
        .flatMap(
            resolver ->
                Stream.of("", " ", TOO_LONG, "$system", "a\u0000b", "a\nb", "\ud800")
                    .map(tenant -> Arguments.of(resolver, tenant)));
  }

  @ParameterizedTest
  @MethodSource("badTenants")
  void whatIsNoTenantIsRefusedAlsoWithADefault(String resolver, String tenant) {
    Map<String, String> settings = new HashMap<>();
    settings.put("wovyr.tenant.resolver", resolver);
    settings.put("wovyr.tenant.default", "initech");
    if (resolver.equals("header")) {
      settings.put("wovyr.tenant.header", "X-Org");
    }
    try (Application application = start(settings)) {
      Orders orders = application.get(Orders.class);
      Request request =
          Request.by("ada@" + tenant, "viewers").claiming(tenant).withHeader("X-Org", tenant);
      assertThatThrownBy(() -> application.in(request, orders::caller))
          .isInstanceOf(AccessDenied.class)
          .satisfies(
              refused -> {
                if (!tenant.isBlank()) {
                  assertThat(refused.getMessage()).doesNotContain(tenant);
                }
              });
    }
  }

  @Test
  void theDefaultIsTakenOnlyForRequestsThatNameNone() {
    try (Application application = start(Map.of("wovyr.tenant.default", "initech"))) {
      Orders orders = application.get(Orders.class);
      assertThat(application.in(ada(), orders::caller).tenant().value()).isEqualTo("initech");
      assertThat(application.in(ada().claiming("acme"), orders::caller).tenant().value())
          .isEqualTo("acme");
    }
  }

  @Test
  void anApplicationMayTellTenantsItsOwnWay() {
    try (Application application = start(Map.of("wovyr.tenant.resolver", "actor"))) {
      Orders orders = application.get(Orders.class);
      Request request = Request.by("ada@acme", "viewers");
      assertThat(application.in(request, orders::caller).tenant().value()).isEqualTo("acme");
    }
  }

  @Test
  void anActorThatCannotBeRecordedIsRefused() {
    try (Application application = start(Map.of("wovyr.tenant.default", "acme"))) {
      Orders orders = application.get(Orders.class);
      for (String actor : List.of("", "a\u0000b", "x".repeat(256))) {
        assertThatThrownBy(() -> application.in(Request.by(actor, "viewers"), orders::caller))
            .isInstanceOf(AccessDenied.class);
      }
    }
  }

  @Test
  void aFailureOfARepositoryArrivesAsItWasThrown() {
    try (Application application = start(Map.of())) {
      Orders orders = application.get(Orders.class);
      assertThatThrownBy(() -> application.in(ada().claiming("acme"), () -> orders.first(0)))
          .isInstanceOf(InvalidInput.class);
    }
  }
}
