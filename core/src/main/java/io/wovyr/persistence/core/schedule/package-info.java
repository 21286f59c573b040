/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * When schedules fire: {@link io.wovyr.persistence.core.schedule.FireTimes} computes the times of a
 * timing, {@link io.wovyr.persistence.core.schedule.FirePlan} what of them to do now. Nothing here
 * reads a clock or a store.
 */
@NullMarked
package io.wovyr.persistence.core.schedule;

import org.jspecify.annotations.NullMarked;
