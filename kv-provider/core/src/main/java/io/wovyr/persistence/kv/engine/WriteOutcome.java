/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.engine;

import java.util.List;
import java.util.Optional;

/** The engine's answer to one {@link AtomicWrite}. */
public sealed interface WriteOutcome {
  /** All changes are durable. */
  record Applied() implements WriteOutcome {}

  /** Nothing was changed: these conditions did not hold, at least one. */
  record Refused(List<Refusal> refusals) implements WriteOutcome {
    public Refused {
      refusals = List.copyOf(refusals);
    }
  }

  /**
   * A condition that did not hold.
   *
   * @param change position in {@link AtomicWrite#changes()}
   * @param actual what lay under the key when it was judged
   */
  record Refusal(int change, Optional<Stored> actual) {}
}
