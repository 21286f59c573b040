/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/** Tests of the times schedules fire at. */
@NullMarked
package io.wovyr.persistence.core.schedule;

import org.jspecify.annotations.NullMarked;
