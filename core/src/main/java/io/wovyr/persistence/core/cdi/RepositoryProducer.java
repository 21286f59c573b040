/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.cdi;

import io.wovyr.persistence.PersistenceException.AccessDenied;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.activity.Activities;
import io.wovyr.persistence.audit.AuditLog;
import io.wovyr.persistence.checkpoint.CheckpointRecords;
import io.wovyr.persistence.compensation.Compensations;
import io.wovyr.persistence.definition.Definitions;
import io.wovyr.persistence.event.Events;
import io.wovyr.persistence.execution.Executions;
import io.wovyr.persistence.feed.Feed;
import io.wovyr.persistence.lease.Leases;
import io.wovyr.persistence.quarantine.Quarantine;
import io.wovyr.persistence.retry.Retries;
import io.wovyr.persistence.schedule.Schedules;
import io.wovyr.persistence.secret.Secrets;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.ContextNotActiveException;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes {@link Repositories} and each repository injectable. What is injected belongs to nobody:
 * every call goes to the repositories of the caller whose request this thread works for, so that a
 * bean of any scope may hold it. Without a request every call is refused. A new repository gets a
 * producer here.
 *
 * <p>Not injectable, because they would outlive their request: {@link Repositories#caller()} and
 * {@link Repositories#unitOfWork()}; ask the injected repositories for them.
 */
@ApplicationScoped
class RepositoryProducer {
  @Inject CurrentRepositories current;

  @Produces
  @ApplicationScoped
  Repositories repositories() {
    return bound(Repositories.class, repositories -> repositories);
  }

  @Produces
  @ApplicationScoped
  Executions executions() {
    return bound(Executions.class, Repositories::executions);
  }

  @Produces
  @ApplicationScoped
  Events events() {
    return bound(Events.class, Repositories::events);
  }

  @Produces
  @ApplicationScoped
  Leases leases() {
    return bound(Leases.class, Repositories::leases);
  }

  @Produces
  @ApplicationScoped
  Definitions definitions() {
    return bound(Definitions.class, Repositories::definitions);
  }

  @Produces
  @ApplicationScoped
  Activities activities() {
    return bound(Activities.class, Repositories::activities);
  }

  @Produces
  @ApplicationScoped
  Retries retries() {
    return bound(Retries.class, Repositories::retries);
  }

  @Produces
  @ApplicationScoped
  Compensations compensations() {
    return bound(Compensations.class, Repositories::compensations);
  }

  @Produces
  @ApplicationScoped
  Schedules schedules() {
    return bound(Schedules.class, Repositories::schedules);
  }

  @Produces
  @ApplicationScoped
  CheckpointRecords checkpoints() {
    return bound(CheckpointRecords.class, Repositories::checkpoints);
  }

  @Produces
  @ApplicationScoped
  AuditLog audit() {
    return bound(AuditLog.class, Repositories::audit);
  }

  @Produces
  @ApplicationScoped
  Secrets secrets() {
    return bound(Secrets.class, Repositories::secrets);
  }

  @Produces
  @ApplicationScoped
  Quarantine quarantine() {
    return bound(Quarantine.class, Repositories::quarantine);
  }

  @Produces
  @ApplicationScoped
  Feed feed() {
    return bound(Feed.class, Repositories::feed);
  }

  /** What is made here. */
  static Set<Class<?>> types() {
    return Arrays.stream(RepositoryProducer.class.getDeclaredMethods())
        .filter(method -> method.isAnnotationPresent(Produces.class))
        .filter(method -> !Modifier.isStatic(method.getModifiers()))
        .map(Method::getReturnType)
        .collect(Collectors.toUnmodifiableSet());
  }

  private <T> T bound(Class<T> type, Function<Repositories, T> which) {
    Object proxy =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) ->
                method.getDeclaringClass() == Object.class
                    ? ofObject(type, self, method, arguments)
                    : call(which.apply(now()), method, arguments));
    return type.cast(proxy);
  }

  private Repositories now() {
    try {
      return current.repositories();
    } catch (ContextNotActiveException e) {
      throw noRequest();
    }
  }

  static AccessDenied noRequest() {
    return new AccessDenied(
        "no request is handled on this thread, so nothing says on whose behalf: in background work"
            + " inject Persistence and use persistence.as(caller)");
  }

  private static @Nullable Object call(
      Object repository, Method method, Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(repository, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  private static Object ofObject(
      Class<?> type, Object self, Method method, Object @Nullable [] arguments) {
    return switch (method.getName()) {
      case "equals" -> arguments != null && self == arguments[0];
      case "hashCode" -> System.identityHashCode(self);
      default -> type.getSimpleName() + " of the current caller";
    };
  }
}
