/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.core.settings.ContainerSettings;
import io.wovyr.persistence.definition.DefinitionPolicies.Policy;
import io.wovyr.persistence.sealing.spi.SealingFactory;
import io.wovyr.persistence.settings.spi.Setting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;

/** What can be set: the reference page and the warning about unknown keys are made from it. */
final class DeclaredSettings {
  private static final String STORAGE_PREFIX = "wovyr.storage.";
  private static final String SEALING_PREFIX = "wovyr.sealing.";
  private static final String CLI_PREFIX = "wovyr.cli.";
  private static final String DURATION = "duration, up to P365D";
  private static final String WHERE = "everywhere";

  private static final List<Setting> CORE =
      List.of(
          core(
              CoreSettings.COMMIT_DEADLINE,
              "PT10S",
              DURATION,
              "time a commit may take, retries and the resolution of an unknown outcome included"),
          core(
              CoreSettings.READ_DEADLINE,
              "PT10S",
              DURATION,
              "time a read may take, retries included"),
          core(
              CoreSettings.RETRY_BASE,
              "PT0.005S",
              DURATION,
              "first bound of the jittered delay between tries"),
          core(
              CoreSettings.RETRY_CAP,
              "PT0.5S",
              DURATION,
              "highest bound of that delay; at least the base"),
          core(
              CoreSettings.MARKER_TTL,
              "PT24H",
              DURATION,
              "how long the outcome of a commit without a witness of its own can be asked for, at"
                  + " least twice the commit deadline; equal on all nodes"),
          core(
              CoreSettings.LEASE_MARGIN,
              "PT0.25S",
              DURATION,
              "this much before its end an owner stops using a lease; never more than a quarter of"
                  + " the lease's ttl"),
          core(
              CoreSettings.PARK_AFTER,
              "16",
              "number, from 1",
              "takeovers without progress after which an execution is parked"),
          core(
              CoreSettings.COMPRESS_FROM,
              "1024",
              "bytes, from 1",
              "contents of at least so many bytes are compressed (Zstandard) before they are"
                  + " sealed"),
          core(
              CoreSettings.INLINE_LIMIT,
              "1048576",
              "bytes, from 8192",
              "a record of more bytes has its largest values in chunks beside it, as a record has"
                  + " that is larger than its store takes ([how](records.md#large-values))"),
          core(
              Sampling.EVERY,
              Sampling.OFF,
              "`off`, or duration, PT1S to P18250D",
              "least time between two samples of record counts and storage use that are taken by"
                  + " themselves, such as `PT1M`; `off`: only when `metrics().sample()` is called"
                  + " ([why](records.md#audit-log-secrets-metrics))"),
          core(
              Sampling.KEEP,
              "P7D",
              "duration, up to P18250D",
              "how long samples of the store (source `storage`) are kept where they are taken by"
                  + " themselves; older ones that were taken by hand are removed with them"),
          core(
              Housekeeper.EVERY,
              "PT1H",
              "`off`, or duration, up to P365D",
              "how often expired commit markers and large values that no record refers to are"
                  + " removed in the background, by one of the processes that share a store;"
                  + " `wovyr sweep` does it at once"),
          core(
              CoreSettings.SHUTDOWN_GRACE,
              "PT10S",
              "duration, PT0S to P365D",
              "how long `close()` (and undeploying) waits for bodies whose leases a keeper keeps,"
                  + " before they are cancelled and their leases freed; no lease is taken"
                  + " meanwhile"),
          core(
              STORAGE_PREFIX + "provider",
              "the only one there is; `sqlite` on the command line",
              "name",
              "in CDI and on the command line: which store, `sqlite`, `postgresql` or, where its"
                  + " provider is there, `rocksdb`, `dynamodb` or `foundationdb`. In CDI the first two always are, so say which."
                  + " In plain Java the builder is given the provider (`provider(…)`), and this"
                  + " setting chooses nothing: one that names another is refused"),
          core(
              SealingChoice.PROVIDER,
              "the only one there is",
              "name",
              "what seals sensitive values, by its name: `envelope`, or `none` to store them in"
                  + " clear. Where it does not know its keys nothing sensitive is written"),
          core(
              CoreSettings.UNSEALED,
              "refuse",
              "`refuse` or `accept`",
              "stored values that are not sealed, where values are sealed: `refuse` them, or"
                  + " `accept` them (a store older than its sealing), [secrets"
                  + " excepted](encryption.md#a-store-that-is-older-than-its-sealing)"));

  private DeclaredSettings() {}

  private static Setting core(String name, String standard, String kind, String meaning) {
    return new Setting(name, standard, kind, meaning, WHERE);
  }

  /** All but those of providers. */
  static List<Setting> all() {
    List<Setting> all = new ArrayList<>(CORE);
    Arrays.stream(Policy.values()).map(DeclaredSettings::policy).forEach(all::add);
    all.addAll(ContainerSettings.declared());
    return List.copyOf(all);
  }

  private static Setting policy(Policy policy) {
    return new Setting(
        CoreSettings.POLICY_PREFIX + policy.policyName(),
        policy.standard(),
        kind(policy),
        "what definitions do that give no `" + policy.policyName() + "` of their own",
        "policies of definitions ([what they are](records.md#definitions)); equal on all nodes");
  }

  private static String kind(Policy policy) {
    return switch (policy.shape()) {
      case CHOICE -> "one of its choices";
      case CHOICES -> "its choices, by commas";
      case NUMBER -> "number, from 0";
      case COUNT -> "number, from 1";
      case DURATION -> "duration";
    };
  }

  /**
   * The keys that nothing here knows, sorted: most likely misspelt. Providers of stores warn of
   * theirs, and the command of its own.
   *
   * @param checkSealing false for a provider that was handed over: it does not say what it reads
   * @param given what makes the provider, where it was handed over
   */
  static List<String> unknown(
      Map<String, String> settings, boolean checkSealing, Optional<SealingFactory> given) {
    Set<String> known = new HashSet<>();
    all().forEach(setting -> known.add(setting.name()));
    boolean declared = checkSealing;
    List<SealingFactory> factories = new ArrayList<>(given.stream().toList());
    ServiceLoader.load(SealingFactory.class).forEach(factories::add);
    for (SealingFactory factory : factories) {
      factory.settings().forEach(setting -> known.add(setting.name()));
      declared &= !factory.settings().isEmpty();
    }
    boolean sealingToo = declared;
    return settings.keySet().stream()
        .filter(key -> key.startsWith(Setting.PREFIX))
        .filter(key -> !key.startsWith(STORAGE_PREFIX) && !key.startsWith(CLI_PREFIX))
        .filter(key -> sealingToo || !key.startsWith(SEALING_PREFIX))
        .filter(key -> !known.contains(key))
        .sorted()
        .toList();
  }
}
