/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import com.apple.foundationdb.FDBException;
import io.wovyr.persistence.PersistenceException.OutcomeUnknown;
import io.wovyr.persistence.PersistenceException.StorageFailure;
import io.wovyr.persistence.PersistenceException.Unavailable;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the client's error codes mean for a caller, and what to do about them. Immutable.
 *
 * @param description of the store
 */
record FoundationDbErrors(String description) {
  static final int TOO_OLD = 1007;
  static final int CANCELLED = 1025;
  static final int TIMED_OUT = 1031;
  private static final int LOCKED = 1038;

  /** A commit that fails with one of these was not and will not be applied; to be tried again. */
  private static final Set<Integer> NOT_COMMITTED =
      Set.of(
          TOO_OLD, 1009, // future_version
          1020, // not_committed
          1037, // process_behind
          1042, // commit_proxy_memory_limit_exceeded
          1051, // batch_transaction_throttled
          1078, // grv_proxy_memory_limit_exceeded
          1213, // tag_throttled
          1223, // proxy_tag_throttled
          1235); // transaction_throttled_hot_shard

  /** A read that fails with one of these may be tried again; nothing hangs on its outcome. */
  private static final Set<Integer> READ_AGAIN =
      Set.of(
          1004, // timed_out
          1006, // all_alternatives_failed
          1021, // commit_unknown_result
          1026, // connection_failed
          1030, // request_maybe_delivered
          TIMED_OUT, 1039, // cluster_version_changed
          1100); // broken_promise

  private static final Map<Integer, String> ADVICE =
      Map.of(
          1515,
          "cannot be found: there is no cluster file; see wovyr.storage.cluster-file",
          2104,
          "cannot be found: its cluster file is not one; see wovyr.storage.cluster-file",
          6000,
          "does not let this client in: check its certificate and rights");

  /** Whether a commit failed for sure, and may be tried again. */
  static boolean isNotCommitted(FDBException e) {
    return NOT_COMMITTED.contains(e.getCode());
  }

  /**
   * Whether a commit that failed so was refused for what it is, by the client or the cluster: it
   * was not applied, and never will be. Of all other codes, those to come too, nothing is known.
   */
  static boolean isRefused(FDBException e) {
    int code = e.getCode();
    return code == LOCKED || (code >= 2000 && code < 3000) || (code >= 6000 && code < 7000);
  }

  /** Whether a read may be tried again. */
  static boolean isReadAgain(FDBException e) {
    return isNotCommitted(e) || READ_AGAIN.contains(e.getCode());
  }

  /** What broke a read, or a write that was certainly not applied. */
  Unavailable nothingWritten(@Nullable FDBException e) {
    if (e == null) {
      return new Unavailable("the deadline is over; nothing was written", null);
    }
    String advice = ADVICE.get(e.getCode());
    if (advice != null) {
      return Unavailable.lasting(message(e, advice), e);
    }
    if (e.getCode() == LOCKED) {
      return new Unavailable(
          message(
              e,
              "is locked, as a restore or a switch-over of its cluster does; nothing was written"),
          e);
    }
    if (e.getCode() == TIMED_OUT) {
      return new Unavailable(
          message(e, "did not answer in time; nothing was written. See 'fdbcli --exec status'"), e);
    }
    return new Unavailable(message(e, "failed; nothing was written"), e);
  }

  /** What broke a write that may have been applied. */
  StorageFailure maybeWritten(@Nullable FDBException e) {
    return new OutcomeUnknown(
        message(
            e,
            "did not say what became of a commit before the deadline: the outcome is not known."
                + " Submit the same again"),
        e);
  }

  private String message(@Nullable FDBException e, String what) {
    return description + " " + what + (e == null ? "" : " (error " + e.getCode() + ")");
  }
}
