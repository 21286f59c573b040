/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.ordersaga;

import java.time.Duration;

/**
 * What every process of a run must agree on; kept in the run's directory, so that a resumed run
 * agrees as well.
 *
 * @param seed decides which attempts fail
 * @param leaseTtl after which a worker that is not heard of may be replaced
 */
record RunSettings(long seed, Duration leaseTtl) {}
