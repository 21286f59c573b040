/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import io.wovyr.conformance.StorageContract;
import io.wovyr.conformance.StorageUnderTest;
import io.wovyr.persistence.storage.spi.Storage;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Assumptions;

/** The conformance kit over a FoundationDB cluster, where there is one. */
class FoundationDbClusterIT extends StorageContract {
  private static final String CLUSTER_FILE = "WOVYR_TEST_FDB_CLUSTER_FILE";

  static Optional<String> clusterFile() {
    return Optional.ofNullable(System.getenv(CLUSTER_FILE)).filter(file -> !file.isBlank());
  }

  /** What is not run, and the line that would run it. */
  static String notRun(String what, String test) {
    return "NOT RUN: "
        + what
        + " over a FoundationDB cluster: no cluster is named. With libfdb_c 7.4 installed: "
        + CLUSTER_FILE
        + "=/etc/foundationdb/fdb.cluster mvn verify -pl kv-provider/foundationdb -am -Dit.test="
        + test
        + " -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false";
  }

  @Override
  protected StorageUnderTest storageUnderTest() {
    Optional<String> file = clusterFile();
    if (file.isEmpty()) {
      String why = notRun("the kit", "FoundationDbClusterIT");
      System.out.println(why);
      Assumptions.abort(why);
    }
    Map<String, String> settings =
        Map.of("cluster-file", file.orElseThrow(), "subspace", "wovyr-test-" + UUID.randomUUID());
    FoundationDbStorageProvider provider = new FoundationDbStorageProvider();
    provider.migrator().migrate(settings, step -> {});
    return new StorageUnderTest() {
      @Override
      public String provider() {
        return "foundationdb";
      }

      @Override
      public Storage open() {
        return provider.open(settings);
      }

      @Override
      public Optional<OtherProcess> otherProcess() {
        return Optional.of(new OtherProcess(FoundationDbStorageProvider.class, settings));
      }

      @Override
      public void close() {
        new TestSubspaces(NativeCluster::open).clear(settings);
      }
    };
  }
}
