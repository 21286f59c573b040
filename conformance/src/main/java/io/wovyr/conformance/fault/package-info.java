/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Faults at commit, for the kit's own contracts and for tests of whatever is built over a storage.
 * Start at {@link io.wovyr.conformance.fault.FaultyStorage}.
 */
@NullMarked
package io.wovyr.conformance.fault;

import org.jspecify.annotations.NullMarked;
