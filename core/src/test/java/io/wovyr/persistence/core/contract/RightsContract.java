/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Permission;
import io.wovyr.persistence.PersistenceException.AccessDenied;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Repository;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.audit.AuditOutcome;
import io.wovyr.persistence.audit.AuditRecord;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordTypes;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every public method of the repositories, called by every role alone. */
public abstract class RightsContract extends RepositoryContract {
  private static final String ACTOR = "somebody";

  protected RightsContract(TestStore.Factory stores) {
    super(stores);
  }

  private Repositories as(Role... roles) {
    return node().persistence().as(Caller.of(tenant(), ACTOR, roles));
  }

  private RightsScene scene() {
    return new RightsScene(as(Role.values()));
  }

  @TestFactory
  Stream<DynamicContainer> everyRoleMayDoWhatItsPermissionsAllowAndNothingElse() {
    List<RepositoryMethod<?>> methods = RepositoryMethods.all();
    return Arrays.stream(Role.values())
        .map(
            role ->
                dynamicContainer(
                    role.name(),
                    methods.stream()
                        .map(
                            method ->
                                dynamicTest(
                                    "%s %s %s"
                                        .formatted(
                                            role, method.isFor(role) ? "may" : "may not", method),
                                    () -> check(role, method)))));
  }

  private void check(Role role, RepositoryMethod<?> method) {
    var prepared = method.prepare(scene());
    int sent = node().probe().sent().size();
    long reads = node().probe().reads();
    Runnable call = prepared.apply(as(role));
    if (method.isFor(role)) {
      call.run();
      return;
    }
    Permission needed = method.needs().orElseThrow();
    String roles = needed.roles().stream().sorted().toList().toString();
    assertThatThrownBy(call::run)
        .isInstanceOf(AccessDenied.class)
        .hasMessageContainingAll(ACTOR, needed.name(), roles)
        .hasMessageNotContaining(RightsScene.VALUE);
    assertThat(node().probe().reads()).as("nothing is read").isEqualTo(reads);
    List<Batch> written = node().probe().sent().subList(sent, node().probe().sent().size());
    if (needed == Permission.USE_SECRETS) {
      assertThat(written).singleElement().satisfies(RightsContract::tellsOnlyOfTheDenial);
    } else {
      assertThat(written).as("nothing is written").isEmpty();
    }
  }

  private static void tellsOnlyOfTheDenial(Batch batch) {
    assertThat(batch.mutations())
        .filteredOn(mutation -> mutation.key().type() != RecordTypes.COMMIT_MARKER)
        .singleElement()
        .isInstanceOfSatisfying(
            Mutation.Insert.class,
            insert -> {
              assertThat(insert.after().type()).isEqualTo(RecordTypes.AUDIT_RECORD);
              assertThat(insert.after().get("outcome")).isEqualTo(AuditOutcome.DENIED.name());
            });
  }

  @Test
  void everyMethodOfEveryRepositoryIsHeldToAPermission() {
    Set<String> known =
        RepositoryMethods.all().stream()
            .map(RepositoryMethod::signature)
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> there = new TreeSet<>();
    for (Method method : Repositories.class.getMethods()) {
      boolean isRepository =
          method.getReturnType().isInterface() && method.getParameterCount() == 0;
      if (isRepository) {
        collect(method.getName() + ".", method.getReturnType(), there);
      } else {
        there.add(signature("", method));
      }
    }
    assertThat(known).as("lines in RepositoryMethods").containsExactlyInAnyOrderElementsOf(there);
  }

  private static void collect(String prefix, Class<?> type, Set<String> found) {
    for (Method method : type.getMethods()) {
      if (method.getReturnType() == Repository.class) {
        collect(prefix + method.getName() + ".", Repository.class, found);
      } else if (!method.isDefault() && !Modifier.isStatic(method.getModifiers())) {
        found.add(signature(prefix, method));
      }
    }
  }

  private static String signature(String prefix, Method method) {
    return Arrays.stream(method.getParameterTypes())
        .map(Class::getSimpleName)
        .collect(Collectors.joining(", ", prefix + method.getName() + "(", ")"));
  }

  @Test
  void aCallerWithoutRolesMayNothingThatNeedsAPermission() {
    for (RepositoryMethod<?> method : RepositoryMethods.all()) {
      if (method.needs().isPresent()) {
        Runnable call = method.prepare(scene()).apply(as());
        assertThatThrownBy(call::run).as(method.toString()).isInstanceOf(AccessDenied.class);
      }
    }
  }

  @Test
  void rolesAddUp() {
    RightsScene scene = scene();
    Repositories both = as(Role.AUDITOR, Role.READER);
    assertThat(both.executions().find(scene.execution().id())).isPresent();
    AuditRecord entry = scene.audited();
    assertThat(both.audit().find(entry.id())).contains(entry);
  }

  @Test
  void whoMayListSecretsSeesNoValue() {
    var secret = scene().secret();
    for (Role role : Permission.LIST_SECRETS.roles()) {
      var secrets = as(role).secrets();
      assertThat(secrets.latest(secret.name())).contains(secret);
      assertThat(secrets.list(10, Optional.empty()).items()).containsExactly(secret);
    }
  }
}
