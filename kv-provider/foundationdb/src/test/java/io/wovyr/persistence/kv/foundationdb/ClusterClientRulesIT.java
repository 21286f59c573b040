/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import com.apple.foundationdb.Database;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;

/** A cluster keeps the rules that the provider relies on, and the fake claims. */
class ClusterClientRulesIT extends ClientRules {
  @BeforeAll
  static void requireCluster() {
    if (FoundationDbClusterIT.clusterFile().isEmpty()) {
      String why = FoundationDbClusterIT.notRun("the client's rules", "ClusterClientRulesIT");
      System.out.println(why);
      Assumptions.abort(why);
    }
  }

  @Override
  Database connect() {
    String file = FoundationDbClusterIT.clusterFile().orElseThrow();
    return NativeCluster.open(FoundationDbSettings.of(Map.of("cluster-file", file)));
  }

  @Override
  void pass(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
