/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/** Workflow definitions: bodies, versions, status and policies. Start at {@link io.wovyr.persistence.definition.Definitions}. */
@NullMarked
package io.wovyr.persistence.definition;

import org.jspecify.annotations.NullMarked;
