/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/** Who did what. Start at {@link io.wovyr.persistence.audit.AuditLog}. */
@NullMarked
package io.wovyr.persistence.audit;

import org.jspecify.annotations.NullMarked;
