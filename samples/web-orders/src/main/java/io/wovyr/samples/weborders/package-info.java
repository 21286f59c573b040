/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * A web application that places orders: each is an execution and a row of the application's own.
 * Start reading at {@link io.wovyr.samples.weborders.OrderResource}, then {@link
 * io.wovyr.samples.weborders.Orders}.
 */
@NullMarked
package io.wovyr.samples.weborders;

import org.jspecify.annotations.NullMarked;
