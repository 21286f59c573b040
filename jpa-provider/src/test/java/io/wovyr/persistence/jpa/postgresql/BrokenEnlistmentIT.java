/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.conformance.StorageContract;
import io.wovyr.conformance.StorageUnderTest;
import io.wovyr.conformance.report.ConformanceReport;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Enlisted;
import io.wovyr.persistence.storage.spi.ForwardingStorage;
import io.wovyr.persistence.storage.spi.Storage;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** What the kit asks of a store that joins JTA transactions fails for stores that break it. */
class BrokenEnlistmentIT {
  private static volatile @Nullable StorageUnderTest current;

  /** The contract over the current store. */
  static final class Subject extends StorageContract {
    @Override
    protected StorageUnderTest storageUnderTest() {
      return Objects.requireNonNull(current);
    }
  }

  /** Writes at once, whatever becomes of the caller's transaction. */
  private static final class CommitsApart extends ForwardingStorage {
    CommitsApart(Storage delegate) {
      super(delegate);
    }

    @Override
    public Enlisted enlist(Batch batch, Deadline deadline) {
      CommitOutcome outcome = delegate().commit(batch, deadline);
      return outcome instanceof CommitOutcome.Conflict conflict
          ? new Enlisted.Conflict(conflict.failed())
          : new Enlisted.Applied(((CommitOutcome.Committed) outcome).resolved());
    }
  }

  /** Says that all went well. */
  private static final class HidesConflicts extends ForwardingStorage {
    HidesConflicts(Storage delegate) {
      super(delegate);
    }

    @Override
    public Enlisted enlist(Batch batch, Deadline deadline) {
      Enlisted enlisted = super.enlist(batch, deadline);
      return enlisted instanceof Enlisted.Conflict ? new Enlisted.Applied(Map.of()) : enlisted;
    }
  }

  @Test
  void aStoreThatKeepsTheRules() {
    assertThat(failures(UnaryOperator.identity())).isEmpty();
  }

  @Test
  void oneThatWritesApartFromTheCallersTransaction() {
    assertThat(failures(CommitsApart::new))
        .contains("nothingOfItIsThereWhenHeRollsBack", "everyTypeOfRecordCanBePartOfIt");
  }

  @Test
  void oneThatHidesConflicts() {
    assertThat(failures(HidesConflicts::new))
        .contains(
            "aConflictAppliesNothingAndLeavesTheTransactionUsable",
            "racingTransactionsHaveOneWinnerAndTheOthersGoOn");
  }

  private static Set<String> failures(UnaryOperator<Storage> broken) {
    PostgresServer.Database database = PostgresServer.shared().newStore();
    try (TestContainer container = new TestContainer()) {
      current = new Joining(container, database, container.settings(database, 20), broken);
      return run();
    } finally {
      database.close();
    }
  }

  /** A store of the test's, by DataSources of a container. */
  private record Joining(
      TestContainer container,
      PostgresServer.Database database,
      Map<String, String> settings,
      UnaryOperator<Storage> broken)
      implements StorageUnderTest {
    @Override
    public String provider() {
      return "broken";
    }

    @Override
    public Storage open() {
      return broken.apply(new PostgresqlStorageProvider().open(settings));
    }

    @Override
    public Optional<Jta> jta() {
      return Optional.of(new CallersTable(container, database, settings.get("datasource")));
    }

    @Override
    public void close() {}
  }

  private static Class<?> area() {
    return Arrays.stream(StorageContract.class.getDeclaredClasses())
        .filter(one -> one.getSimpleName().equals("Jta"))
        .findFirst()
        .orElseThrow();
  }

  private static Set<String> run() {
    String folder = System.getProperty(ConformanceReport.FOLDER);
    System.setProperty(ConformanceReport.FOLDER, "target/conformance-broken");
    Set<String> failed = new TreeSet<>();
    Set<String> ran = new TreeSet<>();
    try {
      LauncherFactory.create()
          .execute(
              LauncherDiscoveryRequestBuilder.request()
                  .selectors(DiscoverySelectors.selectNestedClass(List.of(Subject.class), area()))
                  .build(),
              new TestExecutionListener() {
                @Override
                public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                  if (test.isTest() && test.getSource().orElseThrow() instanceof MethodSource at) {
                    ran.add(at.getMethodName());
                    if (result.getStatus() == TestExecutionResult.Status.FAILED) {
                      failed.add(at.getMethodName());
                    }
                  }
                }
              });
    } finally {
      if (folder == null) {
        System.clearProperty(ConformanceReport.FOLDER);
      } else {
        System.setProperty(ConformanceReport.FOLDER, folder);
      }
    }
    assertThat(ran).as("contracts that ran").hasSizeGreaterThan(10);
    return failed;
  }
}
