/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv;

import io.wovyr.persistence.storage.spi.AccessPath;
import io.wovyr.persistence.storage.spi.AccessPath.Reach;
import io.wovyr.persistence.storage.spi.Attribute.Kind;
import java.util.List;
import java.util.Optional;

/**
 * How the entries of a unique key or path look.
 *
 * @param number in keys, counted from 0 among the unique keys of a type, and among its paths
 * @param kinds of the values, in order; of a list, that of its elements
 * @param path empty for a unique key
 */
record IndexLayout(String name, int number, List<Kind> kinds, Optional<AccessPath> path) {
  boolean isOfSystem() {
    return path.filter(found -> found.reach() == Reach.SYSTEM).isPresent();
  }
}
