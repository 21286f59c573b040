/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import com.apple.foundationdb.Database;

/** How a cluster is reached. */
@FunctionalInterface
interface Cluster {
  /**
   * Another connection.
   *
   * @throws io.wovyr.persistence.PersistenceException.Unavailable when there is no client, or no
   *     cluster
   */
  Database open(FoundationDbSettings settings);
}
