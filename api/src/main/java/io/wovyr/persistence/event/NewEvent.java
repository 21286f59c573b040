/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.event;

import io.wovyr.persistence.internal.Inputs;
import io.wovyr.persistence.payload.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * An event to append. Immutable; every method returns a changed copy.
 *
 * <p>Types that begin with {@code wovyr.} and the keys {@code status}, {@code input} and {@code
 * outcome} of the section WORKFLOW are the library's own: appending them is refused.
 *
 * @param id makes an append {@linkplain Append#after at a known place} repeatable across a crash;
 *     it makes none repeatable at the next free number, where the same id appended twice is two
 *     events. Within one unit of work an id is given once. Generated when empty
 * @since 0.1
 */
public record NewEvent(
    String type,
    Optional<UUID> id,
    Optional<UUID> correlationId,
    Optional<UUID> causationId,
    Optional<Payload> payload,
    List<Change> changes) {
  public NewEvent {
    Inputs.name("event type", type);
    changes = List.copyOf(changes);
  }

  /** A change to make to the state, its value still plain. */
  public sealed interface Change {
    /** The part of the state. */
    Section section();

    /** The key in it. */
    String key();

    /** Puts a value. */
    record Put(Section section, String key, Payload value) implements Change {
      public Put {
        Inputs.name("state key", key);
      }
    }

    /** Puts the event's own payload, stored once. */
    record PutPayload(Section section, String key) implements Change {
      public PutPayload {
        Inputs.name("state key", key);
      }
    }

    /** Removes a key; no error when it is not there. */
    record Remove(Section section, String key) implements Change {
      public Remove {
        Inputs.name("state key", key);
      }
    }
  }

  /** An event of this type. */
  public static NewEvent of(String type) {
    return new NewEvent(
        type, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), List.of());
  }

  /** With this id. */
  public NewEvent withId(UUID value) {
    return new NewEvent(type, Optional.of(value), correlationId, causationId, payload, changes);
  }

  /** With this correlation id. */
  public NewEvent withCorrelationId(UUID value) {
    return new NewEvent(type, id, Optional.of(value), causationId, payload, changes);
  }

  /** With this causation id. */
  public NewEvent withCausationId(UUID value) {
    return new NewEvent(type, id, correlationId, Optional.of(value), payload, changes);
  }

  /** With this business payload. */
  public NewEvent withPayload(Payload value) {
    return new NewEvent(type, id, correlationId, causationId, Optional.of(value), changes);
  }

  /** Also puts this value into the state. */
  public NewEvent put(Section section, String key, Payload value) {
    return with(new Change.Put(section, key, value));
  }

  /** Also puts the event's payload into the state. */
  public NewEvent putPayload(Section section, String key) {
    return with(new Change.PutPayload(section, key));
  }

  /** Also removes this key from the state. */
  public NewEvent remove(Section section, String key) {
    return with(new Change.Remove(section, key));
  }

  private NewEvent with(Change change) {
    List<Change> more = new ArrayList<>(changes);
    more.add(change);
    return new NewEvent(type, id, correlationId, causationId, payload, more);
  }
}
