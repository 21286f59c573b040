/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.CommitReference;
import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.PersistenceException.OutcomeUnknown;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Resolution;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.feed.FeedCursor;
import io.wovyr.persistence.feed.FeedPage;
import io.wovyr.persistence.lease.AcquireResult;
import io.wovyr.persistence.lease.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

/**
 * Appends step after step to executions, each on a thread of its own, while a test breaks what it
 * likes; asks again what is not known, as a caller would. Afterwards all steps must be there, each
 * once and in order. A lease that is lost is acquired again.
 */
final class Writers implements AutoCloseable {
  private static final Duration TTL = Duration.ofSeconds(15);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Persistence persistence;
  private final String tenant = "tenant-" + UUID.randomUUID();
  private final List<Writer> writers = new ArrayList<>();
  private final ExecutorService threads;
  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicLong steps = new AtomicLong();

  private Writers(Persistence persistence, int count) {
    this.persistence = persistence;
    threads = Executors.newFixedThreadPool(count);
  }

  /** Begins to write. */
  static Writers start(Persistence persistence, int count) {
    Writers started = new Writers(persistence, count);
    for (int i = 0; i < count; i++) {
      started.writers.add(started.new Writer());
    }
    started.writers.forEach(writer -> writer.running = started.threads.submit(writer));
    return started;
  }

  private Repositories repositories() {
    return persistence.as(Caller.of(tenant, "test", Role.READER, Role.WRITER, Role.OPERATOR));
  }

  /** How many steps were done so far, by all. */
  long steps() {
    return steps.get();
  }

  /** Waits until so many more steps are done. */
  void awaitSteps(long more) throws Exception {
    long wanted = steps.get() + more;
    long until = System.nanoTime() + PATIENCE.toNanos();
    while (steps.get() < wanted) {
      assertThat(System.nanoTime() - until).as("steps are done").isNegative();
      for (Writer writer : writers) {
        if (writer.running.isDone()) {
          writer.running.get();
        }
      }
    }
  }

  /** Ends all writers after their present step. */
  void end() throws Exception {
    over.set(true);
    for (Writer writer : writers) {
      writer.running.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
  }

  /** All steps are there, once and in order, and in the feed. */
  void assertNothingIsLostOrDoubled() {
    Set<UUID> inFeed = new HashSet<>();
    long entries = 0;
    Optional<FeedCursor> cursor = Optional.empty();
    FeedPage page = repositories().feed().read(cursor, 1_000);
    while (!page.entries().isEmpty()) {
      page.entries().forEach(entry -> inFeed.add(entry.event().header().id()));
      entries += page.entries().size();
      page = repositories().feed().read(page.next(), 1_000);
    }
    long events = 0;
    for (Writer writer : writers) {
      List<WorkflowEvent> all = writer.events();
      events += all.size();
      assertThat(all.stream().map(WorkflowEvent::sequence))
          .containsExactlyElementsOf(LongStream.rangeClosed(1, all.size()).boxed().toList());
      assertThat(all.stream().skip(1).map(WorkflowEvent::type))
          .as("steps of %s", writer.id)
          .containsExactlyElementsOf(
              LongStream.range(0, writer.done.get()).mapToObj(i -> "Step" + i).toList());
    }
    assertThat(inFeed).as("no entry of the feed twice").hasSize((int) entries);
    assertThat(entries).as("every event is in the feed").isEqualTo(events);
  }

  @Override
  public void close() {
    over.set(true);
    threads.shutdownNow();
  }

  private final class Writer implements Runnable {
    private final UUID id;
    private Lease lease;
    private final AtomicLong done = new AtomicLong();
    private long renewedAt;
    private volatile Future<?> running = new java.util.concurrent.CompletableFuture<>();

    Writer() {
      CommitResult created =
          repositories().executions().create(NewExecution.of(DefinitionRef.of("order", 1)));
      id = ((CommitResult.Committed) created).records(WorkflowExecution.class).get(0).id();
      lease = acquired(System.nanoTime() + PATIENCE.toNanos());
    }

    /** The lease, when whoever had it before is gone. */
    private Lease acquired(long until) {
      while (System.nanoTime() - until < 0) {
        try {
          if (repositories().leases().acquire(id, "worker", TTL)
              instanceof AcquireResult.Acquired acquired) {
            renewedAt = System.nanoTime();
            return acquired.lease();
          }
        } catch (Unavailable | OutcomeUnknown e) {
          // Not now: again.
        }
      }
      throw new AssertionError("no lease in " + PATIENCE);
    }

    @Override
    public void run() {
      while (!over.get()) {
        step(NewEvent.of("Step" + done));
        done.incrementAndGet();
        steps.incrementAndGet();
      }
    }

    private void step(NewEvent event) {
      long until = System.nanoTime() + PATIENCE.toNanos();
      while (System.nanoTime() - until < 0) {
        try {
          CommitResult result = repositories().events().append(id, Append.next(lease), event);
          if (result.isCommitted()) {
            renewedAt = System.nanoTime();
            return;
          }
          isLost((CommitResult.Conflict) result);
          lease = acquired(until);
        } catch (Unavailable e) {
          // Nothing was written: again.
        } catch (OutcomeUnknown e) {
          if (asked(e.reference().orElseThrow(), until) == Resolution.APPLIED) {
            return;
          }
        }
      }
      throw new AssertionError(event.type() + " is not done in " + PATIENCE);
    }

    /**
     * An epoch that ended takes its leases with it, and where a server is away for long they run
     * out; nothing else may come between.
     */
    private void isLost(CommitResult.Conflict conflict) {
      Set<CommitResult.Reason> expected = EnumSet.of(CommitResult.Reason.LEASE_LOST);
      if (System.nanoTime() - renewedAt > TTL.dividedBy(2).toNanos()) {
        expected.add(CommitResult.Reason.LEASE_EXPIRED);
      }
      assertThat(conflict.failures())
          .as(conflict.toString())
          .allMatch(failure -> expected.contains(failure.reason()));
    }

    private Resolution asked(CommitReference reference, long until) {
      while (System.nanoTime() - until < 0) {
        try {
          return repositories().outcome(reference);
        } catch (Unavailable | OutcomeUnknown e) {
          // Not now: again.
        }
      }
      throw new AssertionError("no outcome in " + PATIENCE);
    }

    private List<WorkflowEvent> events() {
      List<WorkflowEvent> events = new ArrayList<>();
      Optional<String> next = Optional.of("1");
      while (next.isPresent()) {
        var page = repositories().events().read(id, Long.parseLong(next.get()), 1_000);
        events.addAll(page.items());
        next = page.next();
      }
      return events;
    }
  }
}
