/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Storages that break one promise each, on purpose, to show that the proofs of the order saga see it.
 * Start reading at {@link io.wovyr.samples.ordersaga.sabotage.Sabotage}.
 */
@NullMarked
package io.wovyr.samples.ordersaga.sabotage;

import org.jspecify.annotations.NullMarked;
