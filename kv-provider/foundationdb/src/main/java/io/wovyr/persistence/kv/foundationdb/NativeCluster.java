/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.FDB;
import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.NetworkOptions;
import io.wovyr.persistence.PersistenceException.Unavailable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Reaches clusters through FoundationDB's own client library. The network of the client is begun
 * once in a process and can never be begun again.
 */
final class NativeCluster {
  private static final int API_VERSION = 740;
  private static boolean begun;

  private NativeCluster() {}

  static Database open(FoundationDbSettings settings) {
    boolean plain = ClusterFile.isOfThisMachine(settings.clusterFile());
    try {
      return client(settings, plain).open(settings.clusterFile().toString());
    } catch (LinkageError e) {
      throw Unavailable.lasting(
          "FoundationDB's client library libfdb_c cannot be loaded: install the package"
              + " foundationdb-clients of version 7.4 from the releases of apple/foundationdb, or"
              + " name the file with -DFDB_LIBRARY_PATH_FDB_C=/path/to/libfdb_c.so",
          e);
    } catch (FDBException e) {
      throw new FoundationDbErrors(settings.description()).nothingWritten(e);
    }
  }

  private static synchronized FDB client(FoundationDbSettings settings, boolean plain) {
    if (begun) {
      return FDB.instance();
    }
    FDB client = FDB.isAPIVersionSelected() ? FDB.instance() : FDB.selectAPIVersion(API_VERSION);
    NetworkOptions options = client.options();
    FoundationDbSettings.Tls tls = settings.tls();
    tls.certificate().map(Path::toString).ifPresent(options::setTLSCertPath);
    tls.key().map(Path::toString).ifPresent(options::setTLSKeyPath);
    tls.authorities().map(Path::toString).ifPresent(options::setTLSCaPath);
    tls.verify()
        .map(rules -> rules.getBytes(StandardCharsets.UTF_8))
        .ifPresent(options::setTLSVerifyPeers);
    if (!plain) {
      // Whatever addresses the servers name later.
      options.setTLSDisablePlaintextConnection();
    }
    begun = true;
    return client;
  }
}
