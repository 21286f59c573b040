/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.Range;
import com.apple.foundationdb.Transaction;
import java.util.Map;

/** Removes what a test left in a cluster. */
record TestSubspaces(Cluster cluster) {
  void clear(Map<String, String> settings) {
    FoundationDbSettings read = FoundationDbSettings.of(settings);
    try (Database database = cluster.open(read);
        Transaction transaction = database.createTransaction()) {
      transaction.clear(Range.startsWith(new Keys(read.subspace()).begin()));
      Futures.await(transaction.commit(), TestWrites.soon());
    }
  }
}
