/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.NewExecution;
import java.util.List;

/**
 * Lets orders in: one execution each, made under an id that follows from the order, so that letting
 * the same order in again, after a crash or by {@code --resume}, finds the one that is there. Some
 * orders are held back until the workers were struck, so that there is work to strike at.
 * Thread-safe; one thread lets in.
 */
final class Intake {
  private static final DefinitionRef DEFINITION = DefinitionRef.of("order-saga", 1);

  private final Repositories repositories;
  private final List<Order> orders;
  private int admitted;
  private int letIn;
  private boolean closed;

  Intake(Repositories repositories, List<Order> orders, int admitted) {
    this.repositories = repositories;
    this.orders = orders;
    this.admitted = Math.min(admitted, orders.size());
  }

  /** Lets in what is admitted, until all orders are in or it is closed. */
  void run() {
    while (true) {
      Order order;
      synchronized (this) {
        while (letIn >= admitted && letIn < orders.size() && !closed) {
          waitForMore();
        }
        if (closed || letIn == orders.size()) {
          return;
        }
        order = orders.get(letIn);
      }
      create(repositories, order);
      synchronized (this) {
        letIn++;
      }
    }
  }

  /** Makes the execution of an order, or finds it. */
  static void create(Repositories repositories, Order order) {
    CommitResult result =
        repositories
            .executions()
            .create(
                NewExecution.of(DEFINITION)
                    .withId(order.executionId())
                    .withWorkflowId(order.id())
                    .withSearchAttribute("country", order.country())
                    .withSearchAttribute("priority", order.priority().name())
                    .withInput(Json.payload(order)));
    if (result instanceof CommitResult.Conflict conflict) {
      throw new CannotGoOn(
          "order " + order.id() + " is in the store with other content: " + conflict.describe(),
          null);
    }
  }

  private synchronized void waitForMore() {
    try {
      wait();
    } catch (InterruptedException e) {
      closed = true;
      Thread.currentThread().interrupt();
    }
  }

  /** Admits some more orders; false when all are. */
  synchronized boolean admitMore(int count) {
    if (admitted == orders.size()) {
      return false;
    }
    admitted = Math.min(orders.size(), admitted + count);
    notifyAll();
    return true;
  }

  /** Admits all. */
  synchronized void admitAll() {
    admitMore(orders.size());
  }

  synchronized int admitted() {
    return admitted;
  }

  /** Lets in no more. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }
}
