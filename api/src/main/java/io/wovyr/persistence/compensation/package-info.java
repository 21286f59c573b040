/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/** What is undone when an execution is rolled back. Start at {@link io.wovyr.persistence.compensation.Compensations}. */
@NullMarked
package io.wovyr.persistence.compensation;

import org.jspecify.annotations.NullMarked;
