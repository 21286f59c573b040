/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence;

import java.util.List;
import java.util.Optional;

/**
 * One page of a longer answer. A page may be empty and still have a next one.
 *
 * @param items in the order of the query
 * @param next what to pass to get the next page; empty at the end. Opaque, valid for this query
 *     only
 * @since 0.1
 */
public record Page<T>(List<T> items, Optional<String> next) {
  public Page {
    items = List.copyOf(items);
  }
}
