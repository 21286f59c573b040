/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/** Tests of the CDI wiring. */
@NullMarked
package io.wovyr.persistence.core.cdi;

import org.jspecify.annotations.NullMarked;
