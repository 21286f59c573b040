/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/** Records of checkpoints: what they are and where they lie. Start at {@link io.wovyr.persistence.checkpoint.CheckpointRecords}. */
@NullMarked
package io.wovyr.persistence.checkpoint;

import org.jspecify.annotations.NullMarked;
