/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import io.wovyr.samples.ordersaga.Strike.Kind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A worker's line to its controller: words separated by blanks, one message a line, standard output
 * up and standard input down. Thread-safe.
 */
final class WorkerPort implements WorkEvents {
  private final PrintStream out;
  private final Semaphore go = new Semaphore(0);
  private final CountDownLatch stop = new CountDownLatch(1);
  private final CompletableFuture<StoreSettings> store = new CompletableFuture<>();
  private final CompletableFuture<Plan> plan = new CompletableFuture<>();
  private final List<UUID> aside = new ArrayList<>();
  private @Nullable Strike armed;

  WorkerPort(InputStream in, PrintStream out) {
    this.out = out;
    Thread reader = new Thread(() -> listen(in), "controller-lines");
    reader.setDaemon(true);
    reader.start();
  }

  /** Sends one message. */
  synchronized void say(Object... words) {
    out.println(String.join(" ", Arrays.stream(words).map(String::valueOf).toList()));
    out.flush();
  }

  private void listen(InputStream in) {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] words = line.split(" ");
        switch (words[0]) {
          case "STORE" ->
              store.complete(Json.read(line.substring(words[0].length() + 1), StoreSettings.class));
          case "PLAN" -> plan.complete(Plan.of(words));
          case "STRIKE" -> arm(new Strike(Kind.valueOf(words[1]), Phase.valueOf(words[2])));
          case "SPARE" -> arm(null);
          case "GO" -> go.release();
          case "STOP" -> stop();
          default -> throw new IllegalStateException("the controller said '" + words[0] + "'");
        }
      }
    } catch (IOException e) {
      // The controller is gone, which the end of its lines would have said as well.
    } finally {
      stop();
      store.cancel(false);
      plan.cancel(false);
    }
  }

  /**
   * How a node is to be struck.
   *
   * @param workers threads
   * @param kills that were made before
   * @param of all that are to be made
   * @param strike null when nothing is to be done to this node
   */
  record Plan(int workers, int kills, int of, @Nullable Strike strike) {
    private static Plan of(String[] words) {
      return new Plan(
          Integer.parseInt(words[1]),
          Integer.parseInt(words[2]),
          Integer.parseInt(words[3]),
          words[4].equals("-") ? null : new Strike(Kind.KILL, Phase.valueOf(words[4])));
    }

    boolean strikes() {
      return strike != null;
    }

    /** Orders that are let in before the strike: work is left behind every one of them. */
    int admitted(int orders) {
      return strikes() ? share(orders, kills + 1.5) : orders;
    }

    /** Orders that have ended when it is time to strike. */
    int strikeFrom(int orders) {
      return share(orders, kills + 1);
    }

    private int share(int orders, double part) {
      return (int) Math.min(orders, Math.max(1, orders * part / (of + 1)));
    }
  }

  /**
   * What this node is to do; waits until it was told.
   *
   * @throws java.util.concurrent.CancellationException when whoever started it is gone before
   */
  Plan plan() {
    return plan.join();
  }

  /** What was set aside since this was asked last. */
  synchronized List<UUID> setAside() {
    List<UUID> found = List.copyOf(aside);
    aside.clear();
    return found;
  }

  /**
   * Which store this worker works on; waits until it was told.
   *
   * @throws java.util.concurrent.CancellationException when the controller is gone before
   */
  StoreSettings store() {
    return store.join();
  }

  /** From now on whoever comes to where it is to be struck says so and waits. */
  synchronized void arm(@Nullable Strike strike) {
    armed = strike;
  }

  @Override
  public synchronized @Nullable Strike strikeAt(Phase phase) {
    Strike strike = armed;
    if (strike == null || strike.phase() != phase) {
      return null;
    }
    armed = null;
    return strike;
  }

  @Override
  public void putBack(Strike strike) {
    arm(strike);
  }

  @Override
  public void announce(Phase phase, UUID executionId, long token, long lastSequence) {
    go.drainPermits();
    say("PHASE", phase, executionId, token, lastSequence);
  }

  @Override
  public void hold() {
    go.acquireUninterruptibly();
  }

  @Override
  public void lateWrite(UUID executionId, boolean refused, String by) {
    say(refused ? "REFUSED" : "ACCEPTED", executionId, by);
  }

  @Override
  public void setAside(UUID executionId, String reason) {
    synchronized (this) {
      aside.add(executionId);
    }
    say("SETASIDE", executionId, reason);
  }

  @Override
  public boolean isStopping() {
    return stop.getCount() == 0;
  }

  @Override
  public void pause(long millis) {
    try {
      if (stop.await(millis, TimeUnit.MILLISECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      stop.countDown();
      Thread.currentThread().interrupt();
    }
  }

  /** Makes the worker stop, wherever it waits. */
  void stop() {
    stop.countDown();
    go.release();
  }
}
