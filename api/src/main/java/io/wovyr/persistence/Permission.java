/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence;

import java.util.EnumSet;
import java.util.Set;

/**
 * What a caller may do, and which roles allow it. Checked at the boundary of every repository, with
 * or without a container; one role that allows it is enough.
 *
 * @since 0.1
 */
public enum Permission {
  /** Read records, events, state and the values in them, except secrets. */
  READ(Role.READER, Role.WRITER, Role.OPERATOR, Role.ADMIN),
  /**
   * Do the work of an engine: create and move executions, append events, take leases, write
   * activities, retries, compensations and checkpoints, move feed cursors.
   */
  WORK(Role.WRITER),
  /** Pause, resume, cancel and signal executions from outside, retry now. */
  OPERATE(Role.WRITER, Role.OPERATOR),
  /** Unpark executions, purge histories, see what cannot be read here. */
  MAINTAIN(Role.OPERATOR),
  /** Add definitions and change their status and policies. */
  MANAGE_DEFINITIONS(Role.ADMIN),
  /** Add, change, pause and remove schedules. */
  MANAGE_SCHEDULES(Role.ADMIN),
  /** Ask what became of a commit, and settle it: whoever may write anything. */
  SETTLE_OUTCOMES(Role.WRITER, Role.OPERATOR, Role.AUDITOR, Role.SECURITY_OFFICER, Role.ADMIN),
  /** Write an audit record. */
  WRITE_AUDIT(Role.WRITER, Role.OPERATOR, Role.AUDITOR, Role.SECURITY_OFFICER, Role.ADMIN),
  /** Read the audit log and histories. */
  READ_AUDIT(Role.AUDITOR),
  /** See which secrets there are: names and versions, never values. */
  LIST_SECRETS(Role.SECURITY_OFFICER, Role.AUDITOR, Role.ADMIN),
  /** Store, open and revoke secrets. */
  USE_SECRETS(Role.SECURITY_OFFICER);

  @SuppressWarnings("ImmutableEnumChecker") // Set.copyOf answers an immutable one.
  private final Set<Role> roles;

  Permission(Role first, Role... more) {
    roles = Set.copyOf(EnumSet.of(first, more));
  }

  /** The roles that allow it. */
  public Set<Role> roles() {
    return roles;
  }

  /** True if one of these roles allows it. */
  public boolean isAllowedBy(Set<Role> held) {
    return held.stream().anyMatch(roles::contains);
  }
}
