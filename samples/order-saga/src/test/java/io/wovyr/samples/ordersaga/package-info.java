/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/** Tests of the order saga: what its parts promise, and the whole job with real processes. */
@NullMarked
package io.wovyr.samples.ordersaga;

import org.jspecify.annotations.NullMarked;
