/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import static io.wovyr.persistence.kv.foundationdb.TestWrites.LARGE;
import static io.wovyr.persistence.kv.foundationdb.TestWrites.body;
import static io.wovyr.persistence.kv.foundationdb.TestWrites.get;
import static io.wovyr.persistence.kv.foundationdb.TestWrites.guarded;
import static io.wovyr.persistence.kv.foundationdb.TestWrites.large;
import static io.wovyr.persistence.kv.foundationdb.TestWrites.step;
import static io.wovyr.persistence.kv.foundationdb.TestWrites.writers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.PersistenceException.OutcomeUnknown;
import io.wovyr.persistence.PersistenceException.StorageFailure;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.kv.KvStore;
import io.wovyr.persistence.kv.engine.AtomicWrite;
import io.wovyr.persistence.kv.engine.Change;
import io.wovyr.persistence.kv.engine.Condition;
import io.wovyr.persistence.kv.engine.Engine;
import io.wovyr.persistence.kv.engine.Stored;
import io.wovyr.persistence.kv.engine.WriteOutcome;
import io.wovyr.persistence.kv.engine.WriteOutcome.Applied;
import io.wovyr.persistence.kv.engine.WriteOutcome.Refused;
import io.wovyr.persistence.kv.foundationdb.FakeFaults.Fate;
import io.wovyr.persistence.kv.foundationdb.FakeFaults.Fault;
import io.wovyr.persistence.kv.foundationdb.FakeFaults.Where;
import io.wovyr.persistence.storage.spi.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * A write whose transactions fail in any order is applied once or not at all, never in part, and
 * its answer is true: also when what the client gave up reaches the cluster later.
 */
class ErrorOrdersTest {
  private static final int OWN = 1;
  private static final int OTHER = 2;

  /** What may happen to one transaction, the last that matters being how its commit ends. */
  private static final List<Fault> FAULTS =
      List.of(
          new Fault(Where.READ_VERSION, 1037, Fate.LOST),
          new Fault(Where.READ, 1007, Fate.LOST),
          new Fault(Where.COMMIT, 1007, Fate.LOST),
          new Fault(Where.COMMIT, 1020, Fate.LOST),
          new Fault(Where.COMMIT, 1021, Fate.LOST),
          new Fault(Where.COMMIT, 1021, Fate.DELIVERED),
          new Fault(Where.COMMIT, 1021, Fate.DELAYED),
          new Fault(Where.COMMIT, 1031, Fate.DELAYED),
          new Fault(Where.COMMIT, 1039, Fate.DELIVERED));

  private final FakeStore store = FakeStore.migrated();
  private final FakeFaults faults = store.cluster().faults;
  private long subjects;

  private long begun(Engine engine) {
    TestWrites.begin(engine, ++subjects);
    return subjects;
  }

  private static WriteOutcome write(Engine engine, long subject, long version, int writer) {
    return engine.write(List.of(step(subject, version, writer)), TestWrites.soon()).get(0);
  }

  private void assertApplied(Engine engine, long subject, String sequence) {
    assertThat(writers(engine, subject)).as(sequence).containsExactly(OWN);
    assertThat(get(engine, guarded(subject))).as(sequence).contains(new Stored(2, body(1, OWN)));
    assertThat(get(engine, large(subject)).map(Stored::body))
        .as(sequence)
        .contains(body(LARGE, OWN));
  }

  private void assertUntouched(Engine engine, long subject, String sequence) {
    assertThat(writers(engine, subject)).as(sequence).doesNotContain(OWN);
    assertThat(get(engine, guarded(subject)).map(Stored::body))
        .as(sequence)
        .isNotEqualTo(Optional.of(body(1, OWN)));
    assertThat(get(engine, large(subject)).map(Stored::body))
        .as(sequence)
        .isNotEqualTo(Optional.of(body(LARGE, OWN)));
  }

  private static List<List<Fault>> sequences(int length) {
    if (length == 0) {
      return List.of(List.of());
    }
    List<List<Fault>> sequences = new ArrayList<>();
    for (List<Fault> shorter : sequences(length - 1)) {
      for (Fault fault : FAULTS) {
        List<Fault> sequence = new ArrayList<>(shorter);
        sequence.add(fault);
        sequences.add(sequence);
      }
    }
    return sequences;
  }

  /** All sequences of up to three, 819; what was delayed arrives when all is over. */
  @Test
  void anySequenceOfErrorsAppliesAWriteExactlyOnce() {
    try (Engine engine = store.engine()) {
      for (int length = 1; length <= 3; length++) {
        for (List<Fault> sequence : sequences(length)) {
          long subject = begun(engine);
          faults.script(sequence);
          WriteOutcome outcome = write(engine, subject, 1, OWN);
          faults.none();
          faults.deliver();
          assertThat(outcome).as(sequence.toString()).isInstanceOf(Applied.class);
          assertApplied(engine, subject, sequence.toString());
        }
      }
    }
  }

  /** As above; what was delayed arrives while the write is tried again. */
  @Test
  void aDelayedCommitThatArrivesBetweenTriesIsAppliedOnce() {
    try (Engine engine = store.engine()) {
      for (List<Fault> sequence : sequences(2)) {
        for (Where where : List.of(Where.READ_VERSION, Where.READ)) {
          long subject = begun(engine);
          faults.script(sequence);
          faults.script(List.of(new Fault(where, 1007, Fate.LOST, faults::deliver)));
          WriteOutcome outcome = write(engine, subject, 1, OWN);
          faults.none();
          faults.deliver();
          assertThat(outcome).as(sequence.toString()).isInstanceOf(Applied.class);
          assertApplied(engine, subject, sequence.toString());
        }
      }
    }
  }

  /** The delayed commit arrives after the marker was read as absent, before that try's commit. */
  @Test
  void aDelayedCommitThatArrivesAfterTheMarkerWasReadIsAppliedOnce() {
    try (Engine engine = store.engine()) {
      for (int code : List.of(1021, 1031, 1039, 1025, 1101, 4100)) {
        long subject = begun(engine);
        faults.script(List.of(new Fault(Where.COMMIT, code, Fate.DELAYED)));
        int[] commits = {0};
        faults.beforeEachCommit(
            () -> {
              if (++commits[0] == 2) {
                faults.deliver();
              }
            });
        WriteOutcome outcome = write(engine, subject, 1, OWN);
        faults.none();
        assertThat(outcome).isInstanceOf(Applied.class);
        assertThat(commits[0]).isEqualTo(2);
        assertApplied(engine, subject, "error " + code);
      }
    }
  }

  /** Nothing in it conflicts with itself but the marker. */
  private static AtomicWrite unguarded(long subject) {
    return new AtomicWrite(
        List.of(
            new Change.Check(KvStore.ownPlace(), new Condition.VersionIs(1)),
            new Change.Append(TestWrites.feed(subject), body(1, OWN))));
  }

  @Test
  void whatHasNoGuardOfItsOwnIsAppliedOnceAsWell() {
    try (Engine engine = store.engine()) {
      for (int length = 1; length <= 3; length++) {
        for (List<Fault> sequence : sequences(length)) {
          long subject = ++subjects;
          faults.script(sequence);
          engine.write(List.of(unguarded(subject)), TestWrites.soon());
          faults.none();
          faults.deliver();
          assertThat(writers(engine, subject)).as(sequence.toString()).containsExactly(OWN);
        }
      }
    }
  }

  /** Between the look at the marker and the commit of that try. */
  @Test
  void whatHasNoGuardOfItsOwnAndArrivesBetweenLookAndCommitIsAppliedOnce() {
    try (Engine engine = store.engine()) {
      for (List<Fault> sequence : sequences(2)) {
        long subject = ++subjects;
        faults.script(sequence);
        faults.beforeEachCommit(faults::deliver);
        engine.write(List.of(unguarded(subject)), TestWrites.soon());
        faults.none();
        assertThat(writers(engine, subject)).as(sequence.toString()).containsExactly(OWN);
      }
    }
  }

  @Test
  void anyNumberOfTriesUnderWayIsAppliedOnce() {
    try (Engine engine = store.engine()) {
      long subject = begun(engine);
      for (int i = 0; i < 6; i++) {
        faults.failCommit(i % 2 == 0 ? 1021 : 1031, Fate.DELAYED);
      }
      faults.failCommit(1021, Fate.LOST);
      WriteOutcome outcome = write(engine, subject, 1, OWN);
      faults.deliver();
      assertThat(outcome).isInstanceOf(Applied.class);
      assertApplied(engine, subject, "six under way");
    }
  }

  @Test
  void whatSomebodyElseWasFasterWithIsRefusedAndNeverArrives() {
    try (Engine engine = store.engine();
        Engine other = store.engine()) {
      for (List<Fault> sequence : sequences(2)) {
        long subject = begun(engine);
        faults.script(sequence);
        faults.script(
            List.of(
                new Fault(
                    Where.COMMIT,
                    1020,
                    Fate.LOST,
                    () -> faults.aside(() -> write(other, subject, 1, OTHER)))));
        WriteOutcome outcome = write(engine, subject, 1, OWN);
        faults.none();
        faults.deliver();
        if (outcome instanceof Refused) {
          assertUntouched(engine, subject, sequence.toString());
          assertThat(writers(engine, subject)).containsExactly(OTHER);
        } else {
          assertApplied(engine, subject, sequence.toString());
        }
      }
    }
  }

  /**
   * Answers at the deadline are true as well: unknown only where it is, nothing where it says so.
   */
  @Test
  void randomErrorsAndCompetitorsAndDeadlinesGetTrueAnswers() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    int unknown = 0;
    int refused = 0;
    try (Engine engine = store.engine();
        Engine other = store.engine()) {
      for (int round = 0; round < 400; round++) {
        long subject = begun(engine);
        boolean hurried = random.nextInt(3) == 0;
        faults.script(random(random, other, subject, hurried ? 40 : random.nextInt(8)));
        Deadline deadline = Deadline.after(Duration.ofMillis(hurried ? 15 : 20_000));
        WriteOutcome outcome = null;
        StorageFailure failure = null;
        try {
          outcome = engine.write(List.of(step(subject, 1, OWN)), deadline).get(0);
        } catch (StorageFailure e) {
          failure = e;
        }
        faults.none();
        faults.deliver();
        String what = "seed " + seed + ", round " + round + ": " + outcome + failure;
        if (outcome instanceof Applied) {
          assertThat(writers(engine, subject)).as(what).containsOnlyOnce(OWN);
        } else if (outcome instanceof Refused || failure instanceof Unavailable) {
          refused++;
          assertUntouched(engine, subject, what);
        } else {
          unknown++;
          assertThat(failure).as(what).isInstanceOf(OutcomeUnknown.class);
          assertThat(writers(engine, subject).stream().filter(writer -> writer == OWN).count())
              .as(what)
              .isLessThanOrEqualTo(1);
        }
        long steps = writers(engine, subject).size();
        assertThat(get(engine, guarded(subject)).map(Stored::version)).as(what).contains(1 + steps);
        assertThat(get(engine, large(subject)).isPresent()).as(what).isEqualTo(steps > 0);
      }
    }
    assertThat(unknown).isPositive();
    assertThat(refused).isPositive();
  }

  private List<Fault> random(Random random, Engine other, long subject, int length) {
    List<Fault> sequence = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      Fault fault = FAULTS.get(random.nextInt(FAULTS.size()));
      Runnable meanwhile =
          switch (random.nextInt(6)) {
            case 0 -> faults::deliver;
            case 1 -> () -> faults.aside(() -> write(other, subject, 1, OTHER));
            default -> () -> {};
          };
      sequence.add(new Fault(fault.where(), fault.code(), fault.fate(), meanwhile));
    }
    return sequence;
  }

  @Test
  void aCommitOfAnEarlierEpochNeverArrivesInTheNextOne() {
    try (Engine engine = store.engine()) {
      long subject = begun(engine);
      faults.script(List.of(new Fault(Where.COMMIT, 1031, Fate.DELAYED)));
      faults.script(Collections.nCopies(200, new Fault(Where.READ_VERSION, 1009, Fate.LOST)));
      assertThatThrownBy(
              () ->
                  engine.write(
                      List.of(step(subject, 1, OWN)), Deadline.after(Duration.ofMillis(50))))
          .isInstanceOf(OutcomeUnknown.class);
      faults.none();
      KvStore.raiseEpoch(engine, TestWrites.soon());
      faults.deliver();
      assertUntouched(engine, subject, "epoch 1");
    }
  }

  @Test
  void aMarkerOfAWriteThatMayYetArriveIsNotUsedByAnother() {
    try (Engine engine = store.engine()) {
      long first = begun(engine);
      long second = begun(engine);
      // The second try fails for good before it could settle the first.
      faults.script(
          List.of(
              new Fault(Where.COMMIT, 1031, Fate.DELAYED),
              new Fault(Where.READ_VERSION, 2000, Fate.LOST)));
      assertThatThrownBy(() -> write(engine, first, 1, OWN)).isInstanceOf(OutcomeUnknown.class);
      faults.script(List.of(new Fault(Where.COMMIT, 1021, Fate.LOST, faults::deliver)));
      assertThat(write(engine, second, 1, OWN)).isInstanceOf(Applied.class);
      assertApplied(engine, first, "arrived late");
      assertApplied(engine, second, "written meanwhile");
    }
  }
}
