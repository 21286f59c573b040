/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/** What is tried again, when and why. Start at {@link io.wovyr.persistence.retry.Retries}. */
@NullMarked
package io.wovyr.persistence.retry;

import org.jspecify.annotations.NullMarked;
