/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The conformance kit: what every storage provider must keep, as JUnit tests to inherit. An author
 * of a provider extends {@link io.wovyr.conformance.StorageContract} and says in a {@link
 * io.wovyr.conformance.StorageUnderTest} how the store is opened; nothing else. Start at those two.
 * Each area of the contract is a class of its own here, named after what it asks for.
 */
@NullMarked
package io.wovyr.conformance;

import org.jspecify.annotations.NullMarked;
