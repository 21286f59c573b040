/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/** What begins by the clock. Start at {@link io.wovyr.persistence.schedule.Schedules}. */
@NullMarked
package io.wovyr.persistence.schedule;

import org.jspecify.annotations.NullMarked;
