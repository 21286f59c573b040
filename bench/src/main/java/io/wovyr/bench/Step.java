/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.core.payload.StateChangeCodec;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.event.Section;
import io.wovyr.persistence.event.StateChange;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.payload.StoredPayload;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;

/** What every column writes in a step. */
final class Step {
  static final String TENANT = "bench";
  static final String ACTOR = "bench";
  static final String WORKER = "worker";
  static final String EVENT_TYPE = "StepDone";

  /** Longer than any turn: no lease runs out. */
  static final Duration TTL = Duration.ofHours(4);

  static final long TTL_MICROS = TTL.toMillis() * 1_000;

  private static final Payload PAYLOAD = Payload.of("application/cbor", random(200));

  /** A payload of the same size as the layer stores it: a salt goes before the content. */
  static final StoredPayload STORED =
      new StoredPayload(
          "application/cbor",
          StoredPayload.UNSEALED,
          StoredPayload.UNCOMPRESSED,
          Optional.empty(),
          Bytes.wrap(random(32)),
          200,
          new StoredPayload.Body.Inline(Bytes.wrap(random(32 + 200))));

  /** The event's state change: its payload is a variable. */
  static final Bytes CHANGES =
      StateChangeCodec.encode(
          List.of(
              new StateChange.Put(
                  Section.VARIABLES, "step", new StateChange.Value.EventPayload())));

  private Step() {}

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  /** The event as the layer is given it. */
  static NewEvent event(UUID execution) {
    return NewEvent.of(EVENT_TYPE)
        .withCorrelationId(execution)
        .withCausationId(UUID.randomUUID())
        .withPayload(PAYLOAD)
        .putPayload(Section.VARIABLES, "step");
  }
}
