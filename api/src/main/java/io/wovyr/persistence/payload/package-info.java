/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/** Values of users: content type and bytes in, the same bytes out, in one envelope on every store. */
@NullMarked
package io.wovyr.persistence.payload;

import org.jspecify.annotations.NullMarked;
