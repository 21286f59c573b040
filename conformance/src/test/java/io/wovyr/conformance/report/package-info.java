/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/** The report and the provider table. */
@NullMarked
package io.wovyr.conformance.report;

import org.jspecify.annotations.NullMarked;
