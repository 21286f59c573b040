/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.lease.Wake;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.StoreTime;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** When an execution is due next, after each kind of change of its head: the rule in one place. */
final class HeadRows {
  private HeadRows() {}

  /** Nobody should look: it is finished, held by a person, or parked. */
  static boolean isHidden(RowEdit head) {
    return head.flag("closed") || head.flag("paused") || head.flag("parked");
  }

  /**
   * Due when the lease will have expired, rounded up to a multiple of the ttl, so that it moves at
   * most once per ttl however often the lease is renewed.
   */
  static RowEdit dueAfterExpiry(RowEdit head, Engine engine, Duration ttl) {
    return due(head, engine.stamp(new StoreTime(ttl, ttl)));
  }

  static RowEdit dueNow(RowEdit head, Engine engine) {
    return due(head, engine.stamp(StoreTime.NOW));
  }

  static RowEdit dueAt(RowEdit head, Engine engine, Wake wake) {
    return switch (wake.kind()) {
      case NOW -> dueNow(head, engine);
      case AT -> due(head, wake.at().orElseThrow());
      case NEVER -> due(head, null);
    };
  }

  private static RowEdit due(RowEdit head, @Nullable Object instant) {
    return head.set("dueAt", isHidden(head) ? null : instant);
  }

  /** Takeovers since the last event under a lease. */
  static int withoutProgress(Row head) {
    return (Integer) FencedRows.require(head, "acquisitionsWithoutProgress");
  }
}
