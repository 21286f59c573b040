/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Speed as a ratio: the same work by hand (the floor) beside ours, in one run, in rounds that take
 * turns. Absolute numbers belong to the machine; ratios can be compared. Start at {@link
 * io.wovyr.bench.Bench}; a way of doing the work is a {@link io.wovyr.bench.Column}, what is
 * measured is in the classes called Mode.
 */
@NullMarked
package io.wovyr.bench;

import org.jspecify.annotations.NullMarked;
