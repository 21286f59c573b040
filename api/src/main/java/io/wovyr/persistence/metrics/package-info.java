/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/** Stored samples of metrics. Start at {@link io.wovyr.persistence.metrics.MetricsSnapshots}. */
@NullMarked
package io.wovyr.persistence.metrics;

import org.jspecify.annotations.NullMarked;
