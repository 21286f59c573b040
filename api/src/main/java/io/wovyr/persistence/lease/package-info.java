/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/** Leases with fencing tokens: who may move an execution, until when, and how others take over. */
@NullMarked
package io.wovyr.persistence.lease;

import org.jspecify.annotations.NullMarked;
