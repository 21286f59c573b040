/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv;

import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Limits;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.StoreTime;

/** Refuses what will never be written, before anything is. */
final class Admission {
  private Admission() {}

  /**
   * @throws Rejected naming the limit, or what a store without a clock cannot do
   */
  static void check(Batch batch, Limits limits) {
    batch
        .violates(limits)
        .ifPresent(
            limit -> {
              throw new Rejected("commit " + batch.commitId() + ": " + limit);
            });
    for (Mutation mutation : batch.mutations()) {
      if (mutation instanceof Mutation.Insert insert) {
        refuseSymbolic(insert.after());
      } else if (mutation instanceof Mutation.Update update) {
        refuseSymbolic(update.after());
        if (!update.notExpired().isEmpty() || !update.expired().isEmpty()) {
          throw noClock(mutation.key());
        }
      }
    }
  }

  private static void refuseSymbolic(Row after) {
    if (after.values().stream().anyMatch(StoreTime.class::isInstance)) {
      throw noClock(after.key());
    }
  }

  private static Rejected noClock(Key key) {
    return new Rejected(
        key
            + ": this store has no clock of its own (STORE_CLOCK): give instants, and watch"
            + " leases");
  }
}
