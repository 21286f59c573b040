/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import com.apple.foundationdb.Database;
import java.time.Duration;

/** The fake keeps the rules that the provider relies on. */
class FakedClientRulesTest extends ClientRules {
  private static final FakeFdbCluster CLUSTER = new FakeFdbCluster();

  @Override
  Database connect() {
    return CLUSTER.connect();
  }

  @Override
  void pass(Duration time) {
    CLUSTER.pass(time);
  }
}
