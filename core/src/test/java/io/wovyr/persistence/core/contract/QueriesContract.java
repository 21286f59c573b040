/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.Page;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.ExecutionQuery;
import io.wovyr.persistence.execution.ExecutionQuery.By;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.execution.Transition;
import io.wovyr.persistence.execution.WorkflowExecution;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Executions found by what they have in common, page by page. */
public abstract class QueriesContract extends RepositoryContract {
  protected QueriesContract(TestStore.Factory stores) {
    super(stores);
  }

  private WorkflowExecution create(NewExecution execution) {
    pass(Duration.ofSeconds(1));
    return only(committed(repositories().executions().create(execution)), WorkflowExecution.class);
  }

  private List<UUID> ids(ExecutionQuery query) {
    List<UUID> ids = new ArrayList<>();
    Optional<String> next = Optional.empty();
    do {
      Page<WorkflowExecution> page = repositories().executions().find(query, 2, next);
      page.items().forEach(execution -> ids.add(execution.id()));
      next = page.next();
    } while (next.isPresent());
    return ids;
  }

  @Test
  void executionsAreFoundByWhatTheyHaveInCommon() {
    NewExecution plain = NewExecution.of(ORDER);
    UUID one =
        create(
                plain
                    .withWorkflowId("w-1")
                    .withSearchAttribute("customer", "7")
                    .withSearchAttribute("customer", "8")
                    .withSearchAttribute("region", "eu"))
            .id();
    UUID two = create(plain.withSearchAttribute("customer", "7").withParent(one)).id();
    UUID three = create(NewExecution.of(DefinitionRef.of("invoice", 3))).id();
    repositories()
        .executions()
        .transition(
            execution(three), Transition.to(ExecutionStatus.CANCELLED), Append.signal("stop"))
        .orThrow();

    assertThat(ids(ExecutionQuery.all())).containsExactly(three, two, one);
    assertThat(ids(ExecutionQuery.all().oldestFirst())).containsExactly(one, two, three);
    assertThat(ids(ExecutionQuery.by(new By.Status(ExecutionStatus.CREATED))))
        .containsExactly(two, one);
    assertThat(ids(ExecutionQuery.by(new By.Status(ExecutionStatus.CANCELLED))))
        .containsExactly(three);
    assertThat(ids(ExecutionQuery.by(new By.Definition("invoice")))).containsExactly(three);
    assertThat(ids(ExecutionQuery.by(new By.WorkflowId("w-1")))).containsExactly(one);
    assertThat(ids(ExecutionQuery.by(new By.Parent(one)))).containsExactly(two);
    assertThat(ids(ExecutionQuery.by(new By.Attribute("customer", "7")))).containsExactly(two, one);
    assertThat(ids(ExecutionQuery.by(new By.Attribute("customer", "8")))).containsExactly(one);
    assertThat(ids(ExecutionQuery.by(new By.Attribute("customer", "9")))).isEmpty();
    assertThatThrownBy(() -> new By.Attribute("a=b", "c")).isInstanceOf(InvalidInput.class);
  }

  @Test
  void timeBoundsAQuery() {
    Repositories lenient =
        newNode(Duration.ZERO, Map.of("wovyr.policy.execution.workflow-id-reuse", "allow"))
            .as(tenant());
    UUID parent = UUID.randomUUID();
    List<WorkflowExecution> created = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      pass(Duration.ofSeconds(1));
      NewExecution execution =
          NewExecution.of(ORDER)
              .withWorkflowId("w")
              .withParent(parent)
              .withSearchAttribute("k", "v");
      created.add(only(committed(lenient.executions().create(execution)), WorkflowExecution.class));
    }
    for (By by :
        List.of(
            new By.Everything(),
            new By.Status(ExecutionStatus.CREATED),
            new By.Definition("order"),
            new By.WorkflowId("w"),
            new By.Parent(parent),
            new By.Attribute("k", "v"))) {
      assertThat(
              ids(
                  ExecutionQuery.by(by)
                      .from(created.get(1).startedAt())
                      .to(created.get(4).startedAt())
                      .oldestFirst()))
          .as("%s", by)
          .containsExactly(created.get(1).id(), created.get(2).id(), created.get(3).id());
      assertThat(ids(ExecutionQuery.by(by).from(created.get(3).startedAt())))
          .as("%s", by)
          .containsExactly(created.get(4).id(), created.get(3).id());
    }
  }

  @Test
  void anotherTenantFindsNothing() {
    create(NewExecution.of(ORDER).withSearchAttribute("customer", "7"));
    var other = node().as(tenant() + "-other").executions();
    for (By by :
        List.of(
            new By.Everything(), new By.Definition("order"), new By.Attribute("customer", "7"))) {
      assertThat(other.find(ExecutionQuery.by(by), 10, Optional.empty()).items()).isEmpty();
    }
  }
}
