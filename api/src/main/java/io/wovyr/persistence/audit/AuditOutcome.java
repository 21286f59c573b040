/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.audit;

/**
 * How an audited action ended.
 *
 * @since 0.1
 */
public enum AuditOutcome {
  DONE,
  DENIED
}
