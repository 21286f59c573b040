/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The state of an execution: {@link io.wovyr.persistence.core.state.HashTrieState} is the persistent
 * map and its canonical hashes, specified in {@code docs/format/state.md}; {@link
 * io.wovyr.persistence.core.state.Replay} folds it from events.
 */
@NullMarked
package io.wovyr.persistence.core.state;

import org.jspecify.annotations.NullMarked;
