/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/** Activities of executions: attempts, workers, heartbeats, results. Start at {@link io.wovyr.persistence.activity.Activities}. */
@NullMarked
package io.wovyr.persistence.activity;

import org.jspecify.annotations.NullMarked;
