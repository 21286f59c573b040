/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.cdi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.PersistenceException.AccessDenied;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.core.cdi.Application.Memory;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.RequestScoped;
import jakarta.enterprise.context.control.RequestContextController;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.json.JsonString;
import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Proxy;
import java.security.Principal;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.eclipse.microprofile.jwt.JsonWebToken;
import org.junit.jupiter.api.Test;

/**
 * The caller of an HTTP request is the container's: its principal, its token, its roles. The
 * container here is a small one, which answers what a servlet container would.
 */
final class HttpRequestsTest {
  private static final Map<String, String> SETTINGS = Map.of("wovyr.role.reader", "viewers");

  /** What the container knows of the request of this thread. */
  private record Http(Principal principal, Map<String, List<String>> headers, String host) {}

  private static final ThreadLocal<Http> NOW = new ThreadLocal<>();

  /** As a container's built-in bean: it fails where no HTTP request is handled. */
  @ApplicationScoped
  static class Container {
    @Produces
    @RequestScoped
    HttpServletRequest request() {
      return (HttpServletRequest)
          Proxy.newProxyInstance(
              HttpRequestsTest.class.getClassLoader(),
              new Class<?>[] {HttpServletRequest.class},
              (self, method, arguments) -> answer(method.getName(), arguments));
    }

    private static Object answer(String method, Object[] arguments) {
      Http now = NOW.get();
      if (now == null) {
        throw new IllegalStateException("no HTTP request is active");
      }
      return switch (method) {
        case "getMethod" -> "GET";
        case "getUserPrincipal" -> now.principal();
        case "isUserInRole" -> now.principal() != null && "viewers".equals(arguments[0]);
        case "getHeaders" ->
            Collections.enumeration(now.headers().getOrDefault(arguments[0], List.of()));
        case "getServerName" -> now.host();
        default -> throw new UnsupportedOperationException(method);
      };
    }
  }

  /** A verified token. */
  private record Token(String getName, Map<String, Object> claims) implements JsonWebToken {
    @Override
    public Set<String> getClaimNames() {
      return claims.keySet();
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // Of the interface.
    public <T> T getClaim(String name) {
      return (T) claims.get(name);
    }
  }

  /** A text of JSON, as some servers give claims. */
  private record Text(String getString) implements JsonString {
    @Override
    public CharSequence getChars() {
      return getString;
    }

    @Override
    public ValueType getValueType() {
      return ValueType.STRING;
    }
  }

  /** An application's bean. */
  @ApplicationScoped
  static class Reports {
    @Inject Repositories repositories;

    Caller caller() {
      return repositories.caller();
    }
  }

  private static Application start(Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(SETTINGS);
    all.putAll(settings);
    return Application.start(all, Reports.class, Memory.class, Container.class);
  }

  private static Caller caller(Application application, Http http) {
    RequestContextController context = application.get(RequestContextController.class);
    context.activate();
    NOW.set(http);
    try {
      return application.get(Reports.class).caller();
    } finally {
      NOW.remove();
      context.deactivate();
    }
  }

  private static Http with(Principal principal) {
    return new Http(principal, Map.of(), "orders.example.com");
  }

  @Test
  void aTokenSaysWhoAndForWhichTenantInEitherFormOfText() {
    try (Application application = start(Map.of())) {
      for (Object claim : List.<Object>of("acme", new Text("acme"))) {
        Caller caller = caller(application, with(new Token("ada", Map.of("tenant_id", claim))));
        assertThat(caller).isEqualTo(Caller.of("acme", "ada", Role.READER));
      }
    }
  }

  @Test
  void anotherClaimMayNameTheTenant() {
    try (Application application = start(Map.of("wovyr.tenant.claim", "org"))) {
      Token token = new Token("ada", Map.of("tenant_id", "globex", "org", "acme"));
      assertThat(caller(application, with(token)).tenant().value()).isEqualTo("acme");
    }
  }

  @Test
  void aClaimThatIsNoTextAndACallerWithoutATokenNameNoTenant() {
    try (Application application = start(Map.of())) {
      Principal plain = () -> "ada";
      for (Principal principal :
          List.of(plain, new Token("ada", Map.of("tenant_id", 7)), new Token("ada", Map.of()))) {
        assertThatThrownBy(() -> caller(application, with(principal)))
            .isInstanceOf(AccessDenied.class)
            .hasMessageContaining("names no tenant");
      }
    }
  }

  @Test
  void nobodyIsAuthenticatedWithoutAPrincipal() {
    try (Application application = start(Map.of("wovyr.tenant.default", "acme"))) {
      assertThatThrownBy(() -> caller(application, with(null)))
          .isInstanceOf(AccessDenied.class)
          .hasMessageContaining("no authenticated caller");
    }
  }

  @Test
  void headersAndHostsAreReadWhereTheSettingsSay() {
    Http http = new Http(() -> "ada", Map.of("X-Org", List.of("acme")), "globex.example.com");
    try (Application application =
        start(Map.of("wovyr.tenant.resolver", "header", "wovyr.tenant.header", "X-Org"))) {
      assertThat(caller(application, http).tenant().value()).isEqualTo("acme");
    }
    try (Application application =
        start(Map.of("wovyr.tenant.resolver", "host", "wovyr.tenant.host-suffix", "example.com"))) {
      assertThat(caller(application, http).tenant().value()).isEqualTo("globex");
    }
  }

  /** A timer's thread, say: a context of requests is active there, and no HTTP request. */
  @Test
  void aThreadWithoutAnHttpRequestIsToldWhatToDo() {
    try (Application application = start(Map.of("wovyr.tenant.default", "acme"))) {
      assertThatThrownBy(() -> caller(application, null))
          .isInstanceOf(AccessDenied.class)
          .hasMessageContaining("persistence.as(caller)");
    }
  }
}
