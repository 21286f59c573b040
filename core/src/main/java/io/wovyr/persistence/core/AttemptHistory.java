/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.core.payload.Attempt;
import io.wovyr.persistence.core.payload.AttemptsCodec;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.retry.FailedAttempt;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The attempts of a retry or of an undo, all in the one sealed value that held the newest reason
 * alone before: of a bounded size, so that an attempt costs the same however many there were.
 */
final class AttemptHistory {
  private AttemptHistory() {}

  /** Refuses a reason that would be taken for a history. */
  static Payload checked(Payload reason) {
    if (reason.contentType().equals(AttemptsCodec.CONTENT_TYPE)) {
      throw new InvalidInput("content type " + AttemptsCodec.CONTENT_TYPE + " is reserved");
    }
    return reason;
  }

  /**
   * The value to store when an attempt has ended.
   *
   * @param opened answers what is stored so far
   * @param bare what a bare reason, as stored by older versions, tells of
   */
  static Payload with(
      Supplier<Optional<Payload>> opened, Function<Payload, Attempt> bare, Attempt newest) {
    List<Attempt> attempts = new ArrayList<>(readable(opened, bare));
    attempts.add(newest);
    return AttemptsCodec.encode(attempts, FailedAttempt.MOST_KEPT, FailedAttempt.MOST_BYTES);
  }

  /** Damaged reasons must not keep anybody from failing, or from leaving things as they are. */
  private static List<Attempt> readable(
      Supplier<Optional<Payload>> opened, Function<Payload, Attempt> bare) {
    try {
      return of(opened.get(), bare);
    } catch (Corrupt e) {
      return List.of();
    }
  }

  /** The attempts in a stored value, first one first. */
  static List<Attempt> of(Optional<Payload> stored, Function<Payload, Attempt> bare) {
    if (stored.isEmpty()) {
      return List.of();
    }
    return stored.get().contentType().equals(AttemptsCodec.CONTENT_TYPE)
        ? AttemptsCodec.decode(stored.get().content())
        : List.of(bare.apply(stored.get()));
  }

  /** Of them, those that failed, as callers see them. */
  static List<FailedAttempt> failed(List<Attempt> attempts) {
    return attempts.stream()
        .filter(attempt -> attempt.end() == Attempt.End.FAILED)
        .map(
            attempt ->
                new FailedAttempt(
                    attempt.number(),
                    attempt.at(),
                    attempt.error(),
                    attempt.delay(),
                    attempt.reason()))
        .toList();
  }

  /** The newest reason in a stored value. */
  static Optional<Payload> newestReason(Optional<Payload> stored) {
    return stored.flatMap(
        value ->
            value.contentType().equals(AttemptsCodec.CONTENT_TYPE)
                ? last(AttemptsCodec.decode(value.content())).reason()
                : stored);
  }

  private static Attempt last(List<Attempt> attempts) {
    return attempts.get(attempts.size() - 1);
  }
}
