/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.conformance.memory.MemorySettings;
import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.core.contract.RepositoryContract;
import io.wovyr.persistence.core.payload.AttemptsCodec;
import io.wovyr.persistence.core.payload.PayloadSealer;
import io.wovyr.persistence.event.Append;
import io.wovyr.persistence.lease.Lease;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.retry.Retries;
import io.wovyr.persistence.retry.RetryPolicy;
import io.wovyr.persistence.retry.RetryRecord;
import io.wovyr.persistence.sealing.spi.SealingProvider.KeyScope;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordTypes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whoever loses the reasons of earlier attempts is told whose they were. */
final class LostReasonsTest extends RepositoryContract {
  private static final Logger LOGGER = Logger.getLogger(AttemptHistory.class.getName());

  private final List<LogRecord> logged = Collections.synchronizedList(new ArrayList<>());
  private final Handler listener = new Listener();

  LostReasonsTest() {
    super(time -> new MemoryTestStore(MemorySettings.defaults()));
  }

  private final class Listener extends Handler {
    @Override
    public void publish(LogRecord entry) {
      logged.add(entry);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @BeforeEach
  void listen() {
    LOGGER.addHandler(listener);
  }

  @AfterEach
  void leave() {
    LOGGER.removeHandler(listener);
  }

  @Test
  void aHistoryThatDoesNotDecodeNamesItsRecordAndIsWarnedOfWhenItIsReplaced() {
    Lease lease = running(newExecution().id());
    UUID id = lease.executionId();
    Retries retries = repositories().retries();
    failed(lease, "E1");
    RetryRecord whole = retries.find(id, "a").orElseThrow();
    Key key = Key.of(RecordTypes.RETRY, id, "a");
    Payload cut = new Payload(AttemptsCodec.CONTENT_TYPE, Bytes.wrap(new byte[] {1, 0, 0, 0, 7}));
    rawReplace(
        key,
        "reason",
        stored ->
            new PayloadSealer(Optional.empty(), PayloadSealer.newRandom())
                .seal(
                    cut, Bindings.of(tenant(), key, "reason", whole.header().id(), KeyScope.DATA)));
    String where = "value retry.reason of record " + whole.header().id();
    RetryRecord unreadable = retries.find(id, "a").orElseThrow();
    assertThatThrownBy(() -> retries.history(unreadable))
        .isInstanceOf(Corrupt.class)
        .hasMessageContaining(where);
    assertThat(logged).isEmpty();

    failed(lease, "E2");

    assertThat(logged).hasSize(1);
    assertThat(logged.get(0).getLevel()).isEqualTo(Level.WARNING);
    assertThat(new SimpleFormatter().formatMessage(logged.get(0))).contains(where);
  }

  private void failed(Lease lease, String error) {
    committed(
        repositories()
            .unitOfWork()
            .append(lease.executionId(), Append.next(lease), event("Failed"))
            .with(
                repositories()
                    .retries()
                    .failed(
                        lease.executionId(),
                        "a",
                        RetryPolicy.ofAttempts(9),
                        error,
                        Payload.text("why"))
                    .change())
            .commit());
  }
}
