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

  private final Set<String> failed = new TreeSet<>();
  private @Nullable TestPlan plan;
  private int run;

  private BrokenRun() {}

  /** The contract over the current store. */
  static final class Subject extends StorageContract {
    @Override
    protected StorageUnderTest storageUnderTest() {
      return Objects.requireNonNull(current);
    }
  }

  /** {@code area/test} of all that failed in the whole kit. */
  static Set<String> failuresOf(StorageUnderTest store) {
    return failuresOf(store, selectClass(Subject.class));
  }

  /** Names of the tests of one area that failed. */
  static Set<String> failuresOf(StorageUnderTest store, String area) {
    Class<?> nested =
        Arrays.stream(StorageContract.class.getDeclaredClasses())
            .filter(one -> one.getAnnotation(DisplayName.class).value().equals(area))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("no area " + area));
    return failuresOf(store, selectNestedClass(List.of(Subject.class), nested));
  }

  private static Set<String> failuresOf(StorageUnderTest store, DiscoverySelector selector) {
    String folder = System.getProperty(ConformanceReport.FOLDER);
    System.setProperty(ConformanceReport.FOLDER, "target/conformance-broken");
    current = store;
    try {
      LauncherDiscoveryRequest request =
          LauncherDiscoveryRequestBuilder.request().selectors(selector).build();
      BrokenRun listener = new BrokenRun();
      LauncherFactory.create().execute(request, listener);
      if (listener.run == 0) {
        throw new IllegalStateException("no contract was run");
      }
      return listener.failed;
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
    run += test.isTest() ? 1 : 0;
    if (result.getStatus() == TestExecutionResult.Status.FAILED) {
      String area =
          Objects.requireNonNull(plan).getParent(test).map(TestIdentifier::getDisplayName).orElse("");
      String name =
          test.getSource()
              .filter(MethodSource.class::isInstance)
              .map(source -> ((MethodSource) source).getMethodName())
              .orElse(test.getDisplayName());
      failed.add(area + "/" + name);
    }
  }
}
