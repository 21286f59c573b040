/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The main job: a saga per order, run by worker processes that are killed and stalled on purpose,
 * and proofs that nothing was lost, doubled or written late. A program to learn from; start reading
 * at {@link io.wovyr.samples.ordersaga.Saga} (what an order does next), then {@link
 * io.wovyr.samples.ordersaga.OrderRunner} (one order under a lease), then {@link
 * io.wovyr.samples.ordersaga.Demo} (the whole job).
 */
@NullMarked
package io.wovyr.samples.ordersaga;

import org.jspecify.annotations.NullMarked;
