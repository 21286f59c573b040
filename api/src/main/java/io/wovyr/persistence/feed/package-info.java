/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/** The change feed: every event of a store, exactly once, behind durable cursors. */
@NullMarked
package io.wovyr.persistence.feed;

import org.jspecify.annotations.NullMarked;
