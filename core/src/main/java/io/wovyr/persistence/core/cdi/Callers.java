/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.cdi;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.PersistenceException.AccessDenied;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.TenantId;
import io.wovyr.persistence.core.settings.ContainerSettings;
import io.wovyr.persistence.request.spi.IncomingRequest;
import io.wovyr.persistence.request.spi.TenantResolver;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds out on whose behalf a request is: the actor and the roles are the container's, the tenant
 * is the chosen resolver's. Whoever cannot be told is refused.
 */
@Dependent
class Callers {
  @Inject Instance<IncomingRequest> requests;
  @Inject @Any Instance<TenantResolver> resolvers;
  @Inject ConfiguredSettings configured;

  /**
   * What says for which tenant a request is.
   *
   * @throws InvalidInput when the settings name none that is there
   */
  TenantResolver resolver() {
    return Choice.of(
        "tenant resolver",
        ContainerSettings.RESOLVER,
        configured.container().resolver(),
        Choice.byName("tenant resolver", resolvers.stream().toList(), TenantResolver::name));
  }

  /**
   * The caller of the request that this thread works for.
   *
   * @throws AccessDenied when the request does not say, or something that nobody may be
   */
  Caller current() {
    IncomingRequest request = request();
    Optional<String> actor = request.actor();
    if (actor.isEmpty()) {
      throw new AccessDenied(
          "the request has no authenticated caller: have the container authenticate it");
    }
    TenantId tenant = tenant(request);
    try {
      return new Caller(tenant, actor.get(), roles(request));
    } catch (InvalidInput e) {
      throw new AccessDenied("who was authenticated cannot be recorded: " + e.getMessage());
    }
  }

  /** That of the application, where it has one of its own. */
  private IncomingRequest request() {
    List<? extends Instance.Handle<IncomingRequest>> found = requests.handlesStream().toList();
    List<? extends Instance.Handle<IncomingRequest>> own =
        found.stream().filter(one -> !isStandard(one)).toList();
    List<? extends Instance.Handle<IncomingRequest>> chosen = own.isEmpty() ? found : own;
    if (chosen.size() != 1) {
      throw new AccessDenied(
          chosen.isEmpty()
              ? "nothing here knows what a request is: where there are no servlets, offer an"
                  + " IncomingRequest bean, or use persistence.as(caller)"
              : "several IncomingRequest beans: there must be one");
    }
    return chosen.get(0).get();
  }

  private static boolean isStandard(Instance.Handle<IncomingRequest> one) {
    return one.getBean().getBeanClass().getName().equals(WovyrExtension.HTTP_REQUEST);
  }

  private TenantId tenant(IncomingRequest request) {
    TenantResolver resolver = resolver();
    Optional<String> found = resolver.resolve(request);
    if (found.isEmpty()) {
      return configured
          .container()
          .defaultTenant()
          .orElseThrow(
              () ->
                  new AccessDenied(
                      "the request names no tenant (looked for by %s), and there is no default"
                          .formatted(resolver.name())));
    }
    try {
      return new TenantId(found.get());
    } catch (InvalidInput e) {
      throw new AccessDenied(
          "the request names what is no tenant (found by %s): %s"
              .formatted(resolver.name(), e.getMessage()));
    }
  }

  /** A role of ours that is mapped to none of theirs nobody has. */
  private Set<Role> roles(IncomingRequest request) {
    Set<Role> roles = EnumSet.noneOf(Role.class);
    configured
        .container()
        .roles()
        .forEach(
            (ours, theirs) -> {
              if (theirs.stream().anyMatch(request::isInRole)) {
                roles.add(ours);
              }
            });
    return roles;
  }
}
