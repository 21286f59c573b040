/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.wovyr.conformance.report.ConformanceReport;
import io.wovyr.conformance.report.ContractResult;
import io.wovyr.conformance.report.ContractResult.Result;
import io.wovyr.persistence.storage.spi.Capability;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * Leaves contracts of undeclared capabilities NOT RUN, and records what came of every other one.
 * The report of a contract class is written when its last test is over; that of a run in which not
 * all contracts had their turn (somebody chose some) goes to a folder of its own, and leaves the
 * provider's report as it is.
 */
final class ContractRecorder implements BeforeEachCallback, AfterAllCallback, TestWatcher {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(ContractRecorder.class);

  /** Where the report of a part of the contracts goes, below the folder of the reports. */
  static final String PARTIAL = "partial";

  /** All contracts of the kit. */
  private static final Set<Method> CONTRACTS =
      Arrays.stream(StorageContract.class.getDeclaredClasses())
          .filter(Area.class::isAssignableFrom)
          .flatMap(area -> Arrays.stream(area.getSuperclass().getDeclaredMethods()))
          .filter(method -> method.isAnnotationPresent(Test.class))
          .collect(Collectors.toUnmodifiableSet());

  /** The contracts of one run that had their turn. */
  private static final class Seen {
    private final Set<Method> contracts = ConcurrentHashMap.newKeySet();
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    StorageContract contract = contract(context);
    Optional<Capability> needed = needed(context);
    if (needed.isPresent()) {
      assumeTrue(
          contract.storage().capabilities().contains(needed.get()),
          () -> "the store does not declare " + needed.get());
    }
  }

  private static StorageContract contract(ExtensionContext context) {
    return context
        .getRequiredTestInstances()
        .findInstance(StorageContract.class)
        .orElseThrow(() -> new IllegalStateException("not a test of the kit"));
  }

  private static Optional<Capability> needed(ExtensionContext context) {
    Method method = context.getRequiredTestMethod();
    Needs needs = method.getAnnotation(Needs.class);
    if (needs == null) {
      needs = method.getDeclaringClass().getAnnotation(Needs.class);
    }
    return Optional.ofNullable(needs).map(Needs::value);
  }

  @Override
  public void testSuccessful(ExtensionContext context) {
    record(context, Result.PASSED, null);
  }

  @Override
  public void testFailed(ExtensionContext context, @Nullable Throwable cause) {
    record(context, Result.FAILED, cause);
  }

  @Override
  public void testAborted(ExtensionContext context, @Nullable Throwable cause) {
    record(context, Result.NOT_RUN, cause);
  }

  @Override
  public void testDisabled(ExtensionContext context, Optional<String> reason) {
    seen(context);
    report(context)
        .add(
            new ContractResult(
                area(context),
                context.getDisplayName(),
                Optional.empty(),
                Result.NOT_RUN,
                reason.orElse("disabled")));
  }

  private static void record(ExtensionContext context, Result result, @Nullable Throwable cause) {
    seen(context);
    String message = cause == null ? "" : firstLine(String.valueOf(cause.getMessage()));
    report(context)
        .add(
            new ContractResult(
                area(context),
                sentence(context),
                needed(context).map(Capability::name),
                result,
                message));
  }

  private static String firstLine(String message) {
    String line = message.strip().lines().findFirst().orElse("");
    String prefix = "Assumption failed: ";
    return line.startsWith(prefix) ? line.substring(prefix.length()) : line;
  }

  private static String area(ExtensionContext context) {
    return context.getParent().map(ExtensionContext::getDisplayName).orElse("");
  }

  /** The display name, or the test's name as a sentence. */
  private static String sentence(ExtensionContext context) {
    String name = context.getDisplayName();
    if (!name.endsWith("()")) {
      return name;
    }
    return name.substring(0, name.length() - 2)
        .replaceAll("([A-Z])", " $1")
        .toLowerCase(java.util.Locale.ROOT);
  }

  /** Notes that the contract of this context had its turn. */
  private static void seen(ExtensionContext context) {
    contractsSeen(context).add(context.getRequiredTestMethod());
  }

  private static Set<Method> contractsSeen(ExtensionContext context) {
    return ofClass(context, Seen.class, Seen::new).contracts;
  }

  /** The report of the whole contract class. */
  private static ConformanceReport report(ExtensionContext context) {
    return ofClass(context, ConformanceReport.class, ConformanceReport::new);
  }

  /** Something of the whole contract class, kept at its context. */
  private static <T> T ofClass(ExtensionContext context, Class<T> type, Supplier<T> fresh) {
    ExtensionContext outer = context;
    while (outer.getParent().isPresent() && outer.getParent().get().getTestClass().isPresent()) {
      outer = outer.getParent().get();
    }
    return outer.getStore(NAMESPACE).getOrComputeIfAbsent(type, key -> fresh.get(), type);
  }

  @Override
  public void afterAll(ExtensionContext context) throws Exception {
    if (context.getRequiredTestClass().isMemberClass()
        && Area.class.isAssignableFrom(context.getRequiredTestClass())) {
      return;
    }
    StorageContract contract = (StorageContract) context.getRequiredTestInstance();
    if (!report(context).results().isEmpty()) {
      boolean all = contractsSeen(context).containsAll(CONTRACTS);
      Path folder = ConformanceReport.folder();
      report(context).write(contract.subject().provider(), all ? folder : folder.resolve(PARTIAL));
    }
  }
}
