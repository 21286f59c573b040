/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance.memory;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedClass;

import io.wovyr.conformance.StorageContract;
import io.wovyr.conformance.StorageUnderTest;
import io.wovyr.conformance.report.ConformanceReport;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs the whole kit over one store, and tells which contracts failed. */
final class BrokenRun implements TestExecutionListener {
  private static volatile @Nullable StorageUnderTest current;

  private final Set<String> passed = new TreeSet<>();
  private final Set<String> failed = new TreeSet<>();
  private @Nullable TestPlan plan;

  private BrokenRun() {}

  /** The contract over the current store. */
  static final class Subject extends StorageContract {
    @Override
    protected StorageUnderTest storageUnderTest() {
      return Objects.requireNonNull(current);
    }
  }

  /**
   * What came of a run.
   *
   * @param passed {@code area/test} of all that passed
   * @param failed {@code area/test} of all that failed
   */
  record Results(Set<String> passed, Set<String> failed) {}

  /** The whole kit over a store. */
  static Results of(StorageUnderTest store) {
    return run(store, selectClass(Subject.class));
  }

  /** One area of the kit over a store. */
  static Results of(StorageUnderTest store, String area) {
    Class<?> nested =
        Arrays.stream(StorageContract.class.getDeclaredClasses())
            .filter(one -> one.getAnnotation(DisplayName.class).value().equals(area))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("no area " + area));
    return run(store, selectNestedClass(List.of(Subject.class), nested));
  }

  /** Where these runs leave their reports. */
  static final Path REPORTS = Path.of("target/conformance-broken");

  private static Results run(StorageUnderTest store, DiscoverySelector selector) {
    String folder = System.getProperty(ConformanceReport.FOLDER);
    System.setProperty(ConformanceReport.FOLDER, REPORTS.toString());
    current = store;
    try {
      LauncherDiscoveryRequest request =
          LauncherDiscoveryRequestBuilder.request().selectors(selector).build();
      BrokenRun listener = new BrokenRun();
      LauncherFactory.create().execute(request, listener);
      return new Results(listener.passed, listener.failed);
    } finally {
      if (folder == null) {
        System.clearProperty(ConformanceReport.FOLDER);
      } else {
        System.setProperty(ConformanceReport.FOLDER, folder);
      }
    }
  }

  @Override
  public void testPlanExecutionStarted(TestPlan testPlan) {
    plan = testPlan;
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (result.getStatus() == TestExecutionResult.Status.FAILED) {
      failed.add(name(test));
    } else if (test.isTest() && result.getStatus() == TestExecutionResult.Status.SUCCESSFUL) {
      passed.add(name(test));
    }
  }

  private String name(TestIdentifier test) {
    String area =
        Objects.requireNonNull(plan).getParent(test).map(TestIdentifier::getDisplayName).orElse("");
    String name =
        test.getSource()
            .filter(MethodSource.class::isInstance)
            .map(source -> ((MethodSource) source).getMethodName())
            .orElse(test.getDisplayName());
    return area + "/" + name;
  }
}
