/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.storage.spi;

import java.util.List;

/**
 * The answer to {@link Storage#enlist}: never "committed", which is the caller's transaction to
 * say.
 *
 * @since 0.1
 */
public sealed interface Enlisted {
  /** The changes are in the caller's transaction. */
  record Applied() implements Enlisted {}

  /** Nothing was changed and the caller's transaction stays usable. */
  record Conflict(List<CommitOutcome.Failed> failed) implements Enlisted {
    public Conflict {
      failed = List.copyOf(failed);
    }
  }
}
