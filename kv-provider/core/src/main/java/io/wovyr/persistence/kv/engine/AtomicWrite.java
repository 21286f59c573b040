/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.engine;

import java.util.List;

/** Changes that all happen at one instant at which all their conditions hold, or none does. */
public record AtomicWrite(List<Change> changes) {
  public AtomicWrite {
    changes = List.copyOf(changes);
  }
}
