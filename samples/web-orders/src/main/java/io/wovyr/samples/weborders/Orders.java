/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.weborders;

import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.Executions;
import io.wovyr.persistence.execution.NewExecution;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.Optional;
import java.util.UUID;

/**
 * Places orders: an execution of the workflow {@code order}, and a row that says for whom. The
 * repositories are those of whoever calls: this bean never says which tenant it means.
 */
@ApplicationScoped
public class Orders {
  private static final DefinitionRef WORKFLOW = DefinitionRef.of("order", 1);

  @Inject Executions executions;
  @Inject Repositories repositories;
  @Inject OrderEntities entities;

  /** For the container. */
  public Orders() {}

  /** What is known of an order. */
  public record Order(String number, String recipient, ExecutionStatus status) {}

  /**
   * Places an order. The row is written first: one that the database refuses leaves no execution;
   * an execution that is refused takes the row back with the transaction.
   *
   * @return id of the execution
   * @throws io.wovyr.persistence.PersistenceException.LostRace when there is a live order of this
   *     number
   */
  @Transactional
  public UUID place(String number, String recipient) {
    UUID id = UUID.randomUUID();
    entities.current().persist(new PlacedOrder(id, tenant(), number, recipient));
    entities.current().flush();
    executions.create(NewExecution.of(WORKFLOW).withId(id).withWorkflowId(number)).orThrow();
    return id;
  }

  /** An order of the caller's tenant that is not at its end. */
  @Transactional
  public Optional<Order> find(String number) {
    return executions
        .findLive(number)
        .flatMap(
            execution ->
                Optional.ofNullable(entities.current().find(PlacedOrder.class, execution.id()))
                    .filter(row -> row.isOf(tenant()))
                    .map(row -> new Order(number, row.recipient(), execution.status())));
  }

  private String tenant() {
    return repositories.caller().tenant().value();
  }
}
