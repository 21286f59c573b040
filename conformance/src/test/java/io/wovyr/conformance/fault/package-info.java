/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/** Tests of the faults themselves. */
@NullMarked
package io.wovyr.conformance.fault;

import org.jspecify.annotations.NullMarked;
