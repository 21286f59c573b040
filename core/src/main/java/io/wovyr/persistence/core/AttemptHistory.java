/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.PersistenceException.StorageFailure;
import io.wovyr.persistence.PersistenceException.UnknownKey;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.core.payload.Attempt;
import io.wovyr.persistence.core.payload.AttemptsCodec;
import io.wovyr.persistence.core.payload.PayloadSealer;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.retry.FailedAttempt;
import io.wovyr.persistence.storage.spi.Key;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The attempts of a retry or of an undo, all in the one sealed value that held the newest reason
 * alone before: of a bounded size, so that an attempt costs the same however many there were.
 *
 * @param attribute of the record, in which the value is
 * @param stored the value so far
 * @param bare what a bare reason, as stored by older versions, tells of
 */
record AttemptHistory(
    TenantAccess access,
    Key key,
    RecordHeader header,
    String attribute,
    Optional<StoredPayload> stored,
    Function<Payload, Attempt> bare) {
  private static final Logger LOG = LoggerFactory.getLogger(AttemptHistory.class);

  /** Refuses a reason that would be taken for a history. */
  static Payload checked(Payload reason) {
    if (isHistory(reason)) {
      throw new InvalidInput("content type " + AttemptsCodec.CONTENT_TYPE + " is reserved");
    }
    return reason;
  }

  private static boolean isHistory(Payload value) {
    return value.contentType().equals(AttemptsCodec.CONTENT_TYPE);
  }

  /** The value to store when the first attempt has ended. */
  static Payload first(Attempt attempt) {
    return encoded(List.of(attempt));
  }

  /** The value to store when another attempt has ended. */
  Payload with(Attempt newest) {
    List<Attempt> attempts = new ArrayList<>(readable());
    attempts.add(newest);
    return encoded(attempts);
  }

  private static Payload encoded(List<Attempt> attempts) {
    return AttemptsCodec.encode(attempts, FailedAttempt.MOST_KEPT, FailedAttempt.MOST_BYTES);
  }

  /**
   * Reasons that are damaged, or whose key is gone for good, must not keep anybody from failing, or
   * from leaving things as they are.
   */
  private List<Attempt> readable() {
    try {
      return attempts();
    } catch (Corrupt | UnknownKey e) {
      warn(e);
      return List.of();
    }
  }

  private void warn(StorageFailure problem) {
    LOG.warn(
        "{} cannot be read, and is replaced by a history that begins with the newest attempt: {}",
        where(),
        problem.getMessage());
  }

  /** The attempts so far, first one first. */
  private List<Attempt> attempts() {
    return opened()
        .map(value -> isHistory(value) ? decoded(value.content()) : List.of(bare.apply(value)))
        .orElse(List.of());
  }

  /** Those that failed, as callers see them. */
  List<FailedAttempt> failed() {
    return attempts().stream()
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

  /** The newest reason. */
  Optional<Payload> newestReason() {
    return opened()
        .flatMap(
            value ->
                isHistory(value) ? last(decoded(value.content())).reason() : Optional.of(value));
  }

  private static Attempt last(List<Attempt> attempts) {
    return attempts.get(attempts.size() - 1);
  }

  private Optional<Payload> opened() {
    try {
      return access.open(key, header, attribute, stored);
    } catch (Rejected e) {
      if (stored.map(StoredPayload::body).orElse(null) instanceof StoredPayload.Body.Inline) {
        // Nobody writes a history this long: the length in its envelope is not its own.
        throw new Corrupt(String.valueOf(e.getMessage()), e);
      }
      throw e;
    }
  }

  private List<Attempt> decoded(Bytes content) {
    try {
      return AttemptsCodec.decode(content);
    } catch (Corrupt e) {
      throw new Corrupt(where() + ": " + e.getMessage(), e);
    } catch (UnsupportedVersion e) {
      throw new UnsupportedVersion(where() + ": " + e.getMessage());
    }
  }

  private String where() {
    return PayloadSealer.where(access.binding(key, header, attribute), stored.orElseThrow());
  }
}
