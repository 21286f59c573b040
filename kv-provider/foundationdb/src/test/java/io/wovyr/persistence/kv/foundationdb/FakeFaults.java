/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import com.apple.foundationdb.FDBException;
import io.wovyr.persistence.kv.foundationdb.FakeFdbCluster.Request;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Makes the fake fail as clusters and networks do, in any order. Thread-safe. */
final class FakeFaults {
  /** The code of a future that is never done. */
  static final int NO_ANSWER = 0;

  /** What becomes of a commit whose client hears of an error. */
  enum Fate {
    /** It never reaches the cluster. */
    LOST,
    /** The cluster judges it, then the answer is lost. */
    DELIVERED,
    /** It reaches the cluster later, or never: when {@link FakeFaults#deliver} is called. */
    DELAYED
  }

  /** What happens to a commit. */
  record CommitFault(int code, Fate fate) {}

  /** At which request of a transaction a fault of a script happens. */
  enum Where {
    READ_VERSION,
    READ,
    COMMIT
  }

  /**
   * What happens to one transaction.
   *
   * @param fate of a commit
   * @param meanwhile what others do before it begins
   */
  record Fault(Where where, int code, Fate fate, Runnable meanwhile) {
    Fault(Where where, int code, Fate fate) {
      this(where, code, fate, () -> {});
    }
  }

  /** Never done. */
  static final class NoAnswer extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private final FakeFdbCluster cluster;
  private final Queue<Integer> readVersions = new ConcurrentLinkedQueue<>();
  private final Queue<Integer> reads = new ConcurrentLinkedQueue<>();
  private final Queue<CommitFault> commits = new ConcurrentLinkedQueue<>();
  private final Queue<Fault> script = new ConcurrentLinkedQueue<>();
  private final Deque<Request> delayed = new ArrayDeque<>();
  private volatile @Nullable Fault current;
  private volatile Runnable beforeCommit = () -> {};
  private volatile Runnable beforeRead = () -> {};

  FakeFaults(FakeFdbCluster cluster) {
    this.cluster = cluster;
  }

  /** The next requests for a read version fail with these codes. */
  void failReadVersions(Integer... codes) {
    readVersions.addAll(List.of(codes));
  }

  /** The next reads fail with these codes. */
  void failReads(Integer... codes) {
    reads.addAll(List.of(codes));
  }

  /** The next commits fail so. */
  void failCommit(int code, Fate fate) {
    commits.add(new CommitFault(code, fate));
  }

  /** Each of the next transactions fails in its own way; for one thread at a time. */
  void script(List<Fault> faults) {
    script.addAll(faults);
  }

  /** Runs in the thread of every commit, just before it, until it is replaced. */
  void beforeEachCommit(Runnable each) {
    beforeCommit = each;
  }

  /** Runs what is no part of the script while a script is under way. */
  void aside(Runnable work) {
    Fault before = current;
    List<Fault> left = new ArrayList<>(script);
    script.clear();
    current = null;
    work.run();
    script.addAll(left);
    current = before;
  }

  /** Runs in the thread of every read, just before it, until it is replaced. */
  void beforeReads(Runnable each) {
    beforeRead = each;
  }

  void none() {
    readVersions.clear();
    reads.clear();
    commits.clear();
    script.clear();
    current = null;
    beforeCommit = () -> {};
    beforeRead = () -> {};
  }

  /** How many faults did not happen yet. */
  int left() {
    return readVersions.size() + reads.size() + commits.size() + script.size();
  }

  /** What was delayed reaches the cluster, in any order. */
  void deliver() {
    List<Request> arriving;
    synchronized (delayed) {
      arriving = new ArrayList<>(delayed);
      delayed.clear();
    }
    Collections.shuffle(arriving, ThreadLocalRandom.current());
    arriving.forEach(this::judged);
  }

  private Optional<FDBException> judged(Request request) {
    try {
      cluster.commit(request);
      return Optional.empty();
    } catch (FDBException e) {
      return Optional.of(e);
    }
  }

  void atReadVersion() {
    Fault fault = script.poll();
    current = fault;
    if (fault != null) {
      fault.meanwhile().run();
      // What others did used the script as little as it used them.
      current = fault;
    }
    fail(readVersions.poll());
    fail(scripted(Where.READ_VERSION));
  }

  void atRead() {
    beforeRead.run();
    fail(reads.poll());
    fail(scripted(Where.READ));
  }

  private @Nullable Integer scripted(Where where) {
    Fault fault = current;
    return fault != null && fault.where() == where ? (Integer) fault.code() : null;
  }

  void atCommit(Request request) {
    beforeCommit.run();
    Fault scripted = current;
    CommitFault fault =
        scripted != null && scripted.where() == Where.COMMIT
            ? new CommitFault(scripted.code(), scripted.fate())
            : commits.poll();
    if (fault == null) {
      cluster.commit(request);
      return;
    }
    if (fault.fate() == Fate.DELIVERED) {
      judged(request);
    } else if (fault.fate() == Fate.DELAYED) {
      synchronized (delayed) {
        delayed.add(request);
      }
    }
    fail(fault.code());
  }

  private static void fail(@Nullable Integer code) {
    if (code == null) {
      return;
    }
    if (code == NO_ANSWER) {
      throw new NoAnswer();
    }
    throw new FDBException("injected", code);
  }
}
