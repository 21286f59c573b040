/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.storage.spi;

import java.time.Duration;
import java.util.Optional;

/**
 * How a store is.
 *
 * @param writable a write would be tried
 * @param feedLag how far the feed is behind, where that can be told
 * @param problem what is wrong and what to do, for people
 * @param feedHeldBy who keeps the feed from advancing at this moment, for people; which is a matter
 *     of milliseconds as a rule, and a problem when it lasts
 * @param replicationLag how far the slowest standby of the store is behind, where it has any and
 *     that can be told
 * @since 0.1
 */
public record Health(
    boolean writable,
    Optional<Duration> feedLag,
    Optional<String> problem,
    Optional<String> feedHeldBy,
    Optional<Duration> replicationLag) {
  /** Where nobody holds the feed back and there is no standby, or nobody can tell. */
  public Health(boolean writable, Optional<Duration> feedLag, Optional<String> problem) {
    this(writable, feedLag, problem, Optional.empty(), Optional.empty());
  }
}
