/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence;

/**
 * What a caller may do. Roles do not include one another; a caller has a set of them.
 *
 * @since 0.1
 */
public enum Role {
  /** Reads records and state views, never secrets. */
  READER,
  /** Creates and moves executions, takes leases. */
  WRITER,
  /** Pauses, resumes, unparks, purges; sees health and statistics. */
  OPERATOR,
  /** Reads the audit log and histories. */
  AUDITOR,
  /** Opens secrets and manages keys. */
  SECURITY_OFFICER,
  /** Manages definitions, schedules and settings. */
  ADMIN
}
