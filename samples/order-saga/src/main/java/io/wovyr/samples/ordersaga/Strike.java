/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

/** Something done to a worker at a phase. */
record Strike(Kind kind, Phase phase) {
  /** See {@link Strike}. */
  enum Kind {
    /** SIGKILL: the process is gone at once. */
    KILL,
    /** SIGSTOP until somebody else took over, then SIGCONT: the process never notices. */
    STALL
  }
}
