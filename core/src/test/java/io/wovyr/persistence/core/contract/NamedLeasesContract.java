/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.conformance.fault.Fault;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.lease.HeldName;
import io.wovyr.persistence.lease.Leases;
import io.wovyr.persistence.lease.NamedLease;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Leases on names: the same algorithm as for executions. */
public abstract class NamedLeasesContract extends RepositoryContract {
  private static final Duration BEFORE_THE_END = TTL.minusSeconds(15);
  private static final Duration PAST_THE_END = Duration.ofSeconds(16);

  protected NamedLeasesContract(TestStore.Factory stores) {
    super(stores);
  }

  private Leases leases() {
    return repositories().leases();
  }

  private HeldName acquired(Leases through, String worker) {
    return through.acquireName("gc", worker, TTL).orElseThrow();
  }

  private HeldName takenOver(Leases through, String worker) {
    Optional<HeldName> first = through.acquireName("gc", worker, TTL);
    if (first.isPresent()) {
      return first.get();
    }
    pass(TTL.plusSeconds(1));
    return acquired(through, worker);
  }

  @Test
  void oneHoldsANameUntilItGivesItBack() {
    HeldName held = acquired(leases(), "w1");
    assertThat(held.name()).isEqualTo("gc");
    assertThat(held.worker()).isEqualTo("w1");
    assertThat(held.isHeld()).isTrue();
    assertThat(held.remaining()).isPositive();
    Leases others = newNode().as(tenant()).leases();
    assertThat(others.acquireName("gc", "w2", TTL)).isEmpty();
    assertThat(leases().acquireName("gc", "w1", TTL)).as("a name proves nothing").isEmpty();
    assertThat(others.acquireName("other", "w2", TTL)).isPresent();
    assertThat(leases().heartbeat(held)).isTrue();

    assertThat(leases().release(held)).isTrue();

    assertThat(held.isHeld()).isFalse();
    assertThat(leases().release(held)).isFalse();
    assertThat(leases().heartbeat(held)).isFalse();
    NamedLease free = leases().findName("gc").orElseThrow();
    assertThat(free.owner()).isEmpty();
    assertThat(free.fencingToken()).isEqualTo(held.token());
    assertThat(acquired(others, "w2").token()).isGreaterThan(held.token());
    assertThat(leases().findName("nobody")).isEmpty();
  }

  @Test
  void ofManyWhoWantANewNameOneGetsIt() {
    List<Repositories> processes = List.of(repositories(), newNode().as(tenant()));
    for (int round = 0; round < 10; round++) {
      String name = "name-" + round;

      List<Optional<HeldName>> results =
          Together.run(16, i -> processes.get(i % 2).leases().acquireName(name, "w" + i, TTL));

      assertThat(results).filteredOn(Optional::isPresent).hasSize(1);
    }
  }

  @Test
  void aHolderThatIsGoneIsReplacedAndHasNoRightsLeft() {
    HeldName old = acquired(leases(), "w1");
    Leases others = newNode().as(tenant()).leases();
    assertThat(others.acquireName("gc", "w2", TTL)).isEmpty();
    pass(BEFORE_THE_END);
    assertThat(others.acquireName("gc", "w2", TTL)).isEmpty();
    pass(PAST_THE_END);

    HeldName fresh = acquired(others, "w2");

    assertThat(fresh.token()).isGreaterThan(old.token());
    NamedLease stored = leases().findName("gc").orElseThrow();
    assertThat(leases().heartbeat(old)).isFalse();
    assertThat(leases().release(old)).isFalse();
    assertThat(leases().findName("gc")).contains(stored);
  }

  @Test
  void renewedItIsNotTaken() {
    HeldName held = acquired(leases(), "w1");
    Leases ahead = newNode(Duration.ofMinutes(10), Map.of()).as(tenant()).leases();
    for (int i = 0; i < 5; i++) {
      assertThat(ahead.acquireName("gc", "w2", TTL)).isEmpty();
      pass(TTL.dividedBy(2));
      assertThat(leases().heartbeat(held)).isTrue();
    }
    assertThat(held.isHeld()).isTrue();
  }

  @Test
  void ranOutItHasNoAuthorityEvenIfFree() {
    HeldName held = acquired(leases(), "w1");
    pass(TTL.plusSeconds(1));

    assertThat(held.isHeld()).isFalse();
    assertThat(leases().heartbeat(held)).isFalse();
    assertThat(leases().release(held)).isFalse();
    assertThat(takenOver(leases(), "w1").token()).isGreaterThan(held.token());
  }

  @Test
  void ofManyWhoTakeOverOneGetsIt() {
    acquired(leases(), "gone");
    List<Repositories> processes = List.of(newNode().as(tenant()), newNode().as(tenant()));
    processes.forEach(process -> process.leases().acquireName("gc", "watch", TTL));
    pass(TTL.plusSeconds(1));

    List<Optional<HeldName>> results =
        Together.run(16, i -> processes.get(i % 2).leases().acquireName("gc", "w" + i, TTL));

    assertThat(results).filteredOn(Optional::isPresent).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"TIMEOUT_AFTER"},
      mode = EnumSource.Mode.EXCLUDE)
  void everyFaultIsStrippedOff(Fault fault) {
    node().faults().failNext(fault);
    HeldName held = acquired(leases(), "w1");
    node().faults().failNext(fault);
    assertThat(leases().heartbeat(held)).isTrue();
    node().faults().failNext(fault);
    assertThat(leases().release(held)).isTrue();
    node().faults().failNext(fault);
    HeldName again = acquired(leases(), "w2");
    while (node().faults().land()) {
      // A try that was in flight arrives late.
    }

    assertThat(again.token()).isEqualTo(held.token() + 1);
    NamedLease stored = leases().findName("gc").orElseThrow();
    assertThat(stored.owner()).contains("w2");
    assertThat(stored.fencingToken()).isEqualTo(again.token());
    assertThat(leases().heartbeat(again)).isTrue();
  }

  @Test
  void theSystemHasNamesOfItsOwn() {
    acquired(leases(), "w1");
    Leases system = node().persistence().system("contract").leases();
    String name = "gc-" + tenant();

    HeldName held = system.acquireName(name, "w1", TTL).orElseThrow();

    assertThat(system.heartbeat(held)).isTrue();
    assertThat(leases().findName(name)).isEmpty();
    assertThat(system.findName(name).orElseThrow().header().tenantId()).isEqualTo("$system");
    assertThatThrownBy(() -> leases().heartbeat(held)).isInstanceOf(InvalidInput.class);
    assertThat(system.release(held)).isTrue();
  }
}
