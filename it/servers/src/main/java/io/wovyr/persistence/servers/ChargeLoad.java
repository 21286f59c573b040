/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Clients that charge by HTTP, one execution each, as clients do who may not charge twice: whatever
 * happens to a request, it is sent again with the same token until it is answered.
 */
final class ChargeLoad implements AutoCloseable {
  private static final long PAUSE_NANOS = 50_000_000;

  private final ServerNode node;
  private final Set<UUID> acknowledged = ConcurrentHashMap.newKeySet();
  private final AtomicLong unanswered = new AtomicLong();
  private final AtomicLong done = new AtomicLong();
  private final ExecutorService threads;
  private final List<Future<?>> clients = new ArrayList<>();
  private volatile boolean stopping;
  private volatile String lastRefusal = "";

  ChargeLoad(ServerNode node, List<String> executions) {
    this.node = node;
    threads = Executors.newFixedThreadPool(executions.size());
    for (String execution : executions) {
      clients.add(threads.submit(() -> client(execution)));
    }
  }

  private void client(String execution) {
    while (!stopping) {
      UUID token = UUID.randomUUID();
      charge("/tests/load?do=charge&execution=" + execution + "&token=" + token);
      acknowledged.add(token);
    }
  }

  private void charge(String path) {
    boolean asked = false;
    while (true) {
      try {
        HttpResponse<String> answer = node.post(path);
        if (answer.statusCode() == 200) {
          if (asked && answer.body().equals("already")) {
            done.incrementAndGet();
          }
          return;
        }
        lastRefusal = answer.statusCode() + " " + answer.body();
      } catch (IOException e) {
        if (!asked) {
          asked = true;
          unanswered.incrementAndGet();
        }
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** Charges that were answered. */
  Set<UUID> acknowledged() {
    return acknowledged;
  }

  /** Charges whose first request was not answered, and how many of these had been done. */
  String lostAnswers() {
    return unanswered + " answers lost, of " + done + " of them the charge was done";
  }

  /** Waits for so many more. */
  void awaitMore(int count) {
    long wanted = acknowledged.size() + (long) count;
    long until = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while (acknowledged.size() < wanted) {
      if (System.nanoTime() - until > 0 || clients.stream().anyMatch(Future::isDone)) {
        throw new IllegalStateException(
            "the load does not go on: " + lostAnswers() + "; " + lastRefusal);
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** Waits until every charge that was begun is answered. */
  void finish() throws Exception {
    stopping = true;
    for (Future<?> client : clients) {
      client.get(2, TimeUnit.MINUTES);
    }
  }

  @Override
  public void close() {
    stopping = true;
    threads.shutdownNow();
  }
}
