/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.UnitOfWork;
import io.wovyr.persistence.execution.NewExecution;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Lets orders in: one execution each, made under an id that follows from the order, so that letting
 * the same order in again, after a crash or by {@code --resume}, finds the one that is there. No
 * more are let in than the workers can look at: what is due is handed out oldest first, so behind a
 * long queue of new orders every retry and every takeover would have to wait. And some are held
 * back until the workers were struck, so that there is work to strike at. Thread-safe; one thread
 * lets in.
 */
final class Intake {
  /** Orders at work at a time. */
  static final int WINDOW = 100;

  private static final int BATCH = 20;

  private final Repositories repositories;
  private final List<Order> orders;
  private int admitted;
  private int letIn;
  private int settled;
  private boolean closed;

  Intake(Repositories repositories, List<Order> orders, int admitted) {
    this.repositories = repositories;
    this.orders = orders;
    this.admitted = Math.min(admitted, orders.size());
  }

  /** Lets in what is admitted, until all orders are in or it is closed. */
  void run() {
    List<Order> next = next();
    while (!next.isEmpty()) {
      create(repositories, next);
      next = next();
    }
  }

  /** The next orders to let in, waiting until there are some; empty when there will be none. */
  private synchronized List<Order> next() {
    try {
      while (!closed && letIn < orders.size() && letIn >= limit()) {
        wait();
      }
    } catch (InterruptedException e) {
      closed = true;
      Thread.currentThread().interrupt();
    }
    if (closed) {
      return List.of();
    }
    List<Order> next = orders.subList(letIn, Math.min(limit(), letIn + BATCH));
    letIn += next.size();
    return next;
  }

  private synchronized int limit() {
    return Math.min(admitted, settled + WINDOW);
  }

  /** Makes the executions of all orders, some at a time, and does something with these. */
  static void createAll(
      Repositories repositories, List<Order> orders, Consumer<List<UUID>> afterSome) {
    for (int i = 0; i < orders.size(); i += BATCH) {
      List<Order> some = orders.subList(i, Math.min(orders.size(), i + BATCH));
      create(repositories, some);
      afterSome.accept(some.stream().map(Order::executionId).toList());
    }
  }

  /** One commit for as many as the store takes; where one is there already, one by one. */
  private static void create(Repositories repositories, List<Order> orders) {
    UnitOfWork unit = repositories.unitOfWork();
    orders.forEach(order -> unit.create(execution(order)));
    try {
      if (!unit.commit().isCommitted()) {
        orders.forEach(order -> createOrFind(repositories, order));
      }
    } catch (Rejected e) {
      // Nothing was written: more than one commit of this store can hold. Fewer then.
      if (orders.size() < 2) {
        throw e;
      }
      int half = orders.size() / 2;
      create(repositories, orders.subList(0, half));
      create(repositories, orders.subList(half, orders.size()));
    }
  }

  private static void createOrFind(Repositories repositories, Order order) {
    CommitResult result = repositories.executions().create(execution(order));
    if (result instanceof CommitResult.Conflict conflict) {
      throw new CannotGoOn(
          "order " + order.id() + " is in the store with other content: " + conflict.describe(),
          null);
    }
  }

  private static NewExecution execution(Order order) {
    return NewExecution.of(Workflow.ORDER_SAGA.definition())
        .withId(order.executionId())
        .withWorkflowId(order.id())
        .withSearchAttribute("country", order.country())
        .withSearchAttribute("priority", order.priority().name())
        .withInput(Json.payload(order));
  }

  /** So many orders need nobody any more. */
  synchronized void settled(int count) {
    settled = count;
    notifyAll();
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
