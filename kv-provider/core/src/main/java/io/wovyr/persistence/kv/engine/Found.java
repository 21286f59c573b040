/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.engine;

import java.util.List;
import java.util.Optional;

/**
 * What was found of a range.
 *
 * @param entries in the order of the range
 * @param rest where to go on, when there may be more; also of an answer without entries
 */
public record Found(List<Entry> entries, Optional<Range> rest) {
  public Found {
    entries = List.copyOf(entries);
  }

  /** A key and what lies under it. */
  public record Entry(Place place, Stored stored) {}
}
