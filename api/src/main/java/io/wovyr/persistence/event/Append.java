/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.event;

import io.wovyr.persistence.internal.Inputs;
import io.wovyr.persistence.lease.Lease;

/**
 * How an append finds its place in the sequence, and by what right.
 *
 * @since 0.1
 */
public sealed interface Append {
  /**
   * Exactly after event {@code last}, under this lease. Anything else is a conflict. With given
   * event ids it may be repeated after a crash: the same ids and content at the same place succeed.
   */
  record Sequence(Lease lease, long last) implements Append {}

  /**
   * At the next free number, under this lease; retried inside while the token holds. For parallel
   * branches of one execution. Called twice, it appends twice, whatever ids the events have: who
   * must know across a crash uses {@link Sequence} or a {@link Signal}'s key.
   */
  record UnderToken(Lease lease) implements Append {}

  /**
   * From outside, without a lease, at the next free number; at most once per execution for a key.
   * The same key with the same content succeeds again and changes nothing; with other content it is
   * a conflict ({@code UNIQUE_KEY_TAKEN}), and so it is with other changes beside it: one that is
   * made anew, such as an audit record, is another one, so make it once and hand it over again.
   * Makes an unowned execution due, and never renews a lease.
   *
   * @param dedupeKey 1 to 255 characters
   */
  record Signal(String dedupeKey) implements Append {
    public Signal {
      Inputs.name("dedupe key", dedupeKey);
    }
  }

  /** Exactly after event {@code last}. */
  static Append after(Lease lease, long last) {
    return new Sequence(lease, last);
  }

  /** At the next free number. */
  static Append next(Lease lease) {
    return new UnderToken(lease);
  }

  /** From outside. */
  static Append signal(String dedupeKey) {
    return new Signal(dedupeKey);
  }
}
