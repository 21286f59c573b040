/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/** What the layer tells of its work. */
@NullMarked
package io.wovyr.persistence.core.telemetry;

import org.jspecify.annotations.NullMarked;
