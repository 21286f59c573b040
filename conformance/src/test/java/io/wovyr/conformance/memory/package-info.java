/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The kit over the reference in the shapes that matter, and over deliberately broken stores. Start at
 * {@link io.wovyr.conformance.memory.ReferenceContractTest}.
 */
@NullMarked
package io.wovyr.conformance.memory;

import org.jspecify.annotations.NullMarked;
