/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.telemetry;

import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.storage.spi.CommitOutcome.Failed;
import io.wovyr.persistence.storage.spi.Health;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Tells nobody. Thread-safe. */
enum NoTelemetry implements Telemetry, Telemetry.Running, Telemetry.Deciding {
  INSTANCE;

  @Override
  public Running call(Call call, String tenantId) {
    return this;
  }

  @Override
  public Deciding commit(String tenantId) {
    return this;
  }

  @Override
  public void gauges(Supplier<Map<String, Long>> lastSizes, Supplier<Health> health) {}

  @Override
  public void rows(int rows) {}

  @Override
  public void conflict(List<Failed> failed) {}

  @Override
  public void answered(CommitResult result) {}

  @Override
  public void failed(RuntimeException failure) {}

  @Override
  public void close() {}
}
