/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Faults, for the kit's own contracts and for tests of whatever is built over a storage: at commit
 * ({@link io.wovyr.conformance.fault.FaultyStorage}), and on the way to a server ({@link
 * io.wovyr.conformance.fault.FaultyWire}).
 */
@NullMarked
package io.wovyr.conformance.fault;

import org.jspecify.annotations.NullMarked;
