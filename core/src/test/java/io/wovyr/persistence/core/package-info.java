/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */

/** The core's tests; the contracts every store has to keep are in {@code contract}. */
@NullMarked
package io.wovyr.persistence.core;

import org.jspecify.annotations.NullMarked;
