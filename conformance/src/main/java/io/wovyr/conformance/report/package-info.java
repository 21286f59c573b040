/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What the kit says about providers, for machines and for people. {@link
 * io.wovyr.conformance.report.ConformanceReport} is written at the end of a run; {@link
 * io.wovyr.conformance.report.ProviderTable} merges the reports of several providers into one table.
 */
@NullMarked
package io.wovyr.conformance.report;

import org.jspecify.annotations.NullMarked;
