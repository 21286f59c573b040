/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/** Executions of a workflow: their lifecycle record, the small head every commit is guarded by, and their repository. */
@NullMarked
package io.wovyr.persistence.execution;

import org.jspecify.annotations.NullMarked;
