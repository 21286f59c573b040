/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings of one store in a cluster, {@code wovyr.storage.*} without the prefix.
 *
 * @param clusterFile says where the cluster is
 * @param subspace name of the part of the cluster that is the store
 * @param tls what a cluster that is not on this machine is reached with
 */
record FoundationDbSettings(Path clusterFile, String subspace, Tls tls) {
  private static final Logger LOG = LoggerFactory.getLogger(FoundationDbSettings.class);

  /** The cluster file. Default {@value #DEFAULT_CLUSTER_FILE}. */
  static final String CLUSTER_FILE = "cluster-file";

  static final String DEFAULT_CLUSTER_FILE = "/etc/foundationdb/fdb.cluster";

  /** Name of the store in the cluster: 1 to 64 letters, digits, dots, dashes. Default wovyr. */
  static final String SUBSPACE = "subspace";

  static final String DEFAULT_SUBSPACE = "wovyr";

  /** Certificate of this client, PEM. */
  static final String TLS_CERTIFICATE = "tls-certificate-file";

  /** Its private key, PEM. */
  static final String TLS_KEY = "tls-key-file";

  /** The authorities that servers are believed by, PEM. */
  static final String TLS_AUTHORITIES = "tls-ca-file";

  /** What else a server's certificate must say, in FoundationDB's own words. */
  static final String TLS_VERIFY = "tls-verify-peers";

  /** Chosen by whoever looks the provider up; not ours, and no reason to warn. */
  private static final String PROVIDER = "provider";

  private static final Set<String> KNOWN =
      Set.of(
          CLUSTER_FILE, SUBSPACE, TLS_CERTIFICATE, TLS_KEY, TLS_AUTHORITIES, TLS_VERIFY, PROVIDER);

  /** See the settings. */
  record Tls(
      Optional<Path> certificate,
      Optional<Path> key,
      Optional<Path> authorities,
      Optional<String> verify) {}

  /**
   * @throws InvalidInput naming the setting that is wrong
   */
  static FoundationDbSettings of(Map<String, String> settings) {
    for (String key : settings.keySet()) {
      if (!KNOWN.contains(key)) {
        LOG.warn("unknown setting wovyr.storage.{} is ignored; known are {}", key, KNOWN);
      }
    }
    return new FoundationDbSettings(
        path(settings, CLUSTER_FILE).orElse(Path.of(DEFAULT_CLUSTER_FILE)),
        subspace(settings.get(SUBSPACE)),
        new Tls(
            path(settings, TLS_CERTIFICATE),
            path(settings, TLS_KEY),
            path(settings, TLS_AUTHORITIES),
            Optional.ofNullable(settings.get(TLS_VERIFY)).filter(rules -> !rules.isBlank())));
  }

  private static Optional<Path> path(Map<String, String> settings, String name) {
    String value = settings.get(name);
    if (value == null || value.isBlank()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Path.of(value).toAbsolutePath().normalize());
    } catch (InvalidPathException e) {
      throw new InvalidInput("wovyr.storage." + name + " is not a file name: " + e.getReason());
    }
  }

  private static String subspace(@Nullable String value) {
    if (value == null || value.isBlank()) {
      return DEFAULT_SUBSPACE;
    }
    if (!value.matches("[A-Za-z0-9.-]{1,64}")) {
      throw new InvalidInput(
          "wovyr.storage.subspace must be 1 to 64 letters, digits, dots and dashes");
    }
    return value;
  }

  /** What people know the store by. */
  String description() {
    return "the store '" + subspace + "' in the FoundationDB cluster of " + clusterFile;
  }
}
