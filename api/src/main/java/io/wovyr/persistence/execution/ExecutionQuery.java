/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.execution;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.internal.Inputs;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * Which executions are wanted: those that have one thing in common, of a time. One thing, so that
 * an index answers it; more is the work of a search engine fed from the feed.
 *
 * @param by what they have in common
 * @param fromInclusive created at this time or later
 * @param toExclusive created before this time
 * @param newestFirst else oldest first
 * @since 0.1
 */
public record ExecutionQuery(
    By by, Optional<Instant> fromInclusive, Optional<Instant> toExclusive, boolean newestFirst) {
  /** What executions have in common. */
  public sealed interface By {
    /** Nothing: all. */
    record Everything() implements By {}

    /** Their status. */
    record Status(ExecutionStatus status) implements By {}

    /** The definition they run, in whatever version. */
    record Definition(String name) implements By {
      public Definition {
        Inputs.name("definition name", name);
      }
    }

    /** Their workflowId, live or closed. */
    record WorkflowId(String workflowId) implements By {
      public WorkflowId {
        Inputs.name("workflowId", workflowId);
      }
    }

    /** Their parent. */
    record Parent(UUID parentId) implements By {}

    /** A search attribute. */
    record Attribute(String name, String value) implements By {
      public Attribute {
        Inputs.name("search attribute name", name);
        if (name.indexOf('=') >= 0) {
          throw new InvalidInput("search attribute name must not contain '='");
        }
        Inputs.searchable("search attribute", name + "=" + value, 511);
      }
    }
  }

  /** These, of all times, newest first. */
  public static ExecutionQuery by(By by) {
    return new ExecutionQuery(by, Optional.empty(), Optional.empty(), true);
  }

  /** All, newest first. */
  public static ExecutionQuery all() {
    return by(new By.Everything());
  }

  /** Created at this time or later. */
  public ExecutionQuery from(Instant inclusive) {
    return new ExecutionQuery(by, Optional.of(inclusive), toExclusive, newestFirst);
  }

  /** Created before this time. */
  public ExecutionQuery to(Instant exclusive) {
    return new ExecutionQuery(by, fromInclusive, Optional.of(exclusive), newestFirst);
  }

  /** Oldest first. */
  public ExecutionQuery oldestFirst() {
    return new ExecutionQuery(by, fromInclusive, toExclusive, false);
  }
}
