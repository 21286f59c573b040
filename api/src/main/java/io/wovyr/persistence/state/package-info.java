/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/** The state of an execution as a persistent map with canonical hashes, folded from its events. */
@NullMarked
package io.wovyr.persistence.state;

import org.jspecify.annotations.NullMarked;
