/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.event;

import io.wovyr.persistence.payload.StoredPayload;

/**
 * One change an event makes to the state, as stored. Application code decides it once, when the
 * event happens; replay needs only built-in code.
 *
 * @since 0.1
 */
public sealed interface StateChange {
  /** The section changed. */
  Section section();

  /** The key inside the section: a name of the definition, never a generated id. */
  String key();

  /** The key now has this value. */
  record Put(Section section, String key, Value value) implements StateChange {}

  /** The key is gone, which is not the same as a null value. */
  record Remove(Section section, String key) implements StateChange {}

  /** Where the value of a put is. */
  sealed interface Value {
    /** In the change itself. */
    record Own(StoredPayload payload) implements Value {}

    /** It is the payload of the event. */
    record EventPayload() implements Value {}
  }
}
