/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * How users' values become stored bytes: {@link io.wovyr.persistence.core.payload.PayloadSealer}
 * salts, commits to and seals a value, {@link io.wovyr.persistence.core.payload.StateChangeCodec}
 * writes the state changes of an event. Both formats are specified in {@code docs/format/}.
 */
@NullMarked
package io.wovyr.persistence.core.payload;

import org.jspecify.annotations.NullMarked;
