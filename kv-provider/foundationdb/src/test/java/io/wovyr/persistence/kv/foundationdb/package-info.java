/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Tests of the FoundationDB provider over {@code FakeFdbCluster}, a fake of the client's interfaces
 * that keeps the cluster's rules, and over a cluster where {@code WOVYR_TEST_FDB_CLUSTER_FILE} names
 * one.
 */
@NullMarked
package io.wovyr.persistence.kv.foundationdb;

import org.jspecify.annotations.NullMarked;
