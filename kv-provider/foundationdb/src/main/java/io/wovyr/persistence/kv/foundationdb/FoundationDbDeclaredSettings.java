/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.foundationdb;

import io.wovyr.persistence.settings.spi.Setting;
import java.util.List;

/** What {@link FoundationDbSettings} reads, for the reference page. */
final class FoundationDbDeclaredSettings {
  private static final String WHERE =
      "stores in FoundationDB, experimental ([more](stores/foundationdb.md))";

  private FoundationDbDeclaredSettings() {}

  private static Setting setting(String name, String fallback, String values, String meaning) {
    return new Setting("wovyr.storage." + name, fallback, values, meaning, WHERE);
  }

  static List<Setting> all() {
    return List.of(
        setting(
            FoundationDbSettings.CLUSTER_FILE,
            FoundationDbSettings.DEFAULT_CLUSTER_FILE,
            "file",
            "the cluster file; a server that is not on this machine must be reached with TLS"),
        setting(
            FoundationDbSettings.SUBSPACE,
            FoundationDbSettings.DEFAULT_SUBSPACE,
            "1 to 64 letters, digits, dots and dashes",
            "the name of the store in the cluster: all its keys lie in this subspace"),
        setting(
            FoundationDbSettings.TLS_CERTIFICATE,
            "none",
            "file, PEM",
            "the certificate of this client; as all tls- settings, the first store that a process"
                + " opens decides for all"),
        setting(
            FoundationDbSettings.TLS_KEY,
            "none",
            "file, PEM, without a password",
            "the private key of that certificate"),
        setting(
            FoundationDbSettings.TLS_AUTHORITIES,
            "the client's own",
            "file, PEM",
            "the authorities that the servers' certificates must come from"),
        setting(
            FoundationDbSettings.TLS_VERIFY,
            "Check.Valid=1",
            "FoundationDB's rules for peers, such as S.CN=cluster.example",
            "what else the servers' certificates must say"));
  }
}
