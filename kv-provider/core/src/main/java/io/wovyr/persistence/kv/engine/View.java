/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.engine;

import io.wovyr.persistence.Bytes;
import java.util.List;
import java.util.Optional;

/**
 * Reads at one instant where the engine has snapshots ({@link Shape#snapshots}), else each read at
 * its own; what was committed before is always seen. For one thread; to be closed soon. An engine
 * that can show an instant for some seconds only throws {@link ViewExpired} behind them.
 */
public interface View extends AutoCloseable {
  /** One answer per key, in the order asked. */
  List<Optional<Stored>> get(List<Place> places);

  /** The next entries of a range, at most {@code limit}. */
  Found range(Range range, int limit);

  /**
   * A stamp: this view sees all that was stamped with it or a lower one, and nothing new will ever
   * show there. It is where readers of appends stop.
   */
  Bytes horizon();

  /**
   * False when it is better to end here and go on in another view: an engine that can show an
   * instant for some seconds only says so well before they are over.
   */
  default boolean isFresh() {
    return true;
  }

  @Override
  void close();
}
