/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.definition.DefinitionStatus;
import io.wovyr.persistence.definition.WorkflowDefinition;
import io.wovyr.persistence.execution.ExecutionStatus;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.feed.RegisteredCursor;
import io.wovyr.persistence.retry.RetryPolicy;
import io.wovyr.persistence.retry.RetryRecord;
import io.wovyr.persistence.retry.RetryStatus;
import io.wovyr.persistence.schedule.Misfire;
import io.wovyr.persistence.schedule.Schedule;
import io.wovyr.persistence.secret.SecretRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What is stored was given by nobody who asks for it now: never bad input of theirs. */
class StoredRecordsTest {
  private static final RecordHeader HEADER = RecordHeader.unsaved();
  private static final Duration CENTURY = Duration.ofDays(36_500);

  private static RetryRecord retry(int multiplier, Duration initial, Duration most) {
    return new RetryRecord(
        HEADER,
        new UUID(0, 7),
        "charge",
        RetryStatus.PENDING,
        1,
        3,
        initial,
        multiplier,
        most,
        List.of("Fatal"),
        Optional.empty(),
        Optional.empty(),
        Instant.EPOCH,
        Instant.EPOCH,
        "E",
        Optional.empty());
  }

  @Test
  void delaysThatWereLongerOnceComeToAHundredYears() {
    Duration longest = Duration.ofNanos(Long.MAX_VALUE).multipliedBy(1_000);

    assertThat(retry(200, Duration.ofSeconds(1), longest).policy())
        .isEqualTo(new RetryPolicy(3, Duration.ofSeconds(1), 200, CENTURY, List.of("Fatal")));
    RetryPolicy both = retry(200, longest, longest).policy();
    assertThat(both.initialDelay()).isEqualTo(CENTURY);
    assertThat(both.ceiling(2)).isEqualTo(CENTURY);
  }

  @Test
  void whatThisVersionDoesNotAllowIsOfAnotherVersionAndNamesItsRecord() {
    assertThatThrownBy(() -> retry(20_000, CENTURY, CENTURY).policy())
        .isInstanceOf(UnsupportedVersion.class)
        .hasMessageContainingAll("activity charge", new UUID(0, 7).toString(), "multiplierPercent");
    assertThatThrownBy(() -> execution().definition())
        .isInstanceOf(UnsupportedVersion.class)
        .hasMessageContaining(HEADER.id().toString());
    assertThatThrownBy(() -> definition().ref())
        .isInstanceOf(UnsupportedVersion.class)
        .hasMessageContaining("order@0");
    assertThatThrownBy(() -> schedule("every", "PT1H").definition())
        .isInstanceOf(UnsupportedVersion.class)
        .hasMessageContaining("nightly");
    for (String[] timing :
        List.of(
            new String[] {"every", "PT0S"},
            new String[] {"every", "PT9999999999999999999H"},
            new String[] {"once", "yesterday"},
            new String[] {"cron", ""},
            new String[] {"moon", "full"})) {
      assertThatThrownBy(() -> schedule(timing[0], timing[1]).timing())
          .isInstanceOf(UnsupportedVersion.class)
          .hasMessageContaining("nightly");
    }
    assertThatThrownBy(() -> new RegisteredCursor(HEADER, "billing", 1, " ").cursor())
        .isInstanceOf(UnsupportedVersion.class)
        .hasMessageContaining("billing");
    assertThatThrownBy(
            () -> new SecretRecord(HEADER, "card", 0, Optional.empty(), Optional.empty()).ref())
        .isInstanceOf(UnsupportedVersion.class)
        .hasMessageContaining("card");
  }

  private static WorkflowExecution execution() {
    return new WorkflowExecution(
        HEADER,
        "order-1",
        Optional.empty(),
        ExecutionStatus.RUNNING,
        Optional.empty(),
        "order",
        0,
        "",
        Optional.empty(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Instant.EPOCH);
  }

  private static WorkflowDefinition definition() {
    return new WorkflowDefinition(
        HEADER,
        "order",
        0,
        DefinitionStatus.ACTIVE,
        "",
        Optional.empty(),
        1,
        List.of(),
        Optional.empty());
  }

  private static Schedule schedule(String kind, String expression) {
    return new Schedule(
        HEADER,
        "nightly",
        kind,
        expression,
        Optional.empty(),
        Optional.empty(),
        "order",
        0,
        "",
        Misfire.FIRE_ONCE,
        Duration.ZERO,
        Optional.empty(),
        Optional.empty(),
        false,
        Optional.empty(),
        Optional.empty(),
        0,
        Optional.empty());
  }
}
