/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.telemetry;

import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.OutcomeUnknown;
import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.PersistenceException.UnknownKey;
import io.wovyr.persistence.storage.spi.CommitOutcome.Expectation;
import java.util.List;

/** The few words that metrics use for guards and failures. */
final class Labels {
  static final List<String> EXPECTATIONS =
      List.of("absent", "version", "not_expired", "expired", "unique");

  private Labels() {}

  static String of(Expectation expectation) {
    if (expectation instanceof Expectation.Absent) {
      return "absent";
    }
    if (expectation instanceof Expectation.VersionIs) {
      return "version";
    }
    if (expectation instanceof Expectation.NotExpired) {
      return "not_expired";
    }
    return expectation instanceof Expectation.Expired ? "expired" : "unique";
  }

  static String of(RuntimeException failure) {
    if (failure instanceof Unavailable) {
      return "unavailable";
    }
    if (failure instanceof OutcomeUnknown) {
      return "outcome_unknown";
    }
    if (failure instanceof Rejected) {
      return "rejected";
    }
    if (failure instanceof Corrupt) {
      return "corrupt";
    }
    return failure instanceof UnknownKey ? "unknown_key" : failure.getClass().getSimpleName();
  }
}
