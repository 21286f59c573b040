/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.compensation.CompensationRecord;

/** The JSON shape of an entry of a compensation stack. Stateless. */
final class CompensationJson {
  private CompensationJson() {}

  static JsonObject summary(CompensationRecord entry) {
    return new JsonObject()
        .put("executionId", entry.executionId())
        .put("position", entry.position())
        .put("activityId", entry.activityId())
        .put("action", entry.action())
        .put("status", entry.status())
        .put("attempts", entry.attempts())
        .put("lastError", entry.lastError())
        .put("registeredAt", entry.registeredAt())
        .put("startedAt", entry.startedAt())
        .put("finishedAt", entry.finishedAt())
        .put("nextAttemptAt", entry.nextAttemptAt());
  }
}
