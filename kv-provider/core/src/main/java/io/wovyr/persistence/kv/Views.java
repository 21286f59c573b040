/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv;

import io.wovyr.persistence.kv.engine.Engine;
import io.wovyr.persistence.kv.engine.View;
import io.wovyr.persistence.kv.engine.ViewExpired;
import io.wovyr.persistence.storage.spi.Deadline;
import java.util.function.Function;

/** Reads what must be of one instant. */
final class Views {
  private Views() {}

  /**
   * Reads in one view; in another from the beginning, when the engine cannot show that one any
   * longer.
   *
   * @throws io.wovyr.persistence.PersistenceException.Unavailable when the deadline comes first
   */
  static <T> T read(Engine engine, Deadline deadline, Function<View, T> work) {
    while (true) {
      try (View view = engine.view(deadline)) {
        return work.apply(view);
      } catch (ViewExpired e) {
        // Again: a view is refused when the deadline is over.
      }
    }
  }
}
