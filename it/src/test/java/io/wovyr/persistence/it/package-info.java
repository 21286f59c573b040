/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/** What only shows when the modules stand together: the arrows between them, every contract per store. */
@NullMarked
package io.wovyr.persistence.it;

import org.jspecify.annotations.NullMarked;
