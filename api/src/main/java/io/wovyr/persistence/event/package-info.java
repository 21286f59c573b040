/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/** The append-only event log: what happened to an execution, in order, without gaps. */
@NullMarked
package io.wovyr.persistence.event;

import org.jspecify.annotations.NullMarked;
