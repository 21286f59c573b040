/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.settings;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.TenantId;
import io.wovyr.persistence.settings.spi.Setting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Who a caller is, in a container: where the tenant of a request is found, and which of the
 * container's roles stand for ours. Immutable.
 *
 * @param resolver name of the {@link io.wovyr.persistence.request.spi.TenantResolver}
 * @param claim of the caller's token that names the tenant
 * @param header that names the tenant; no header is trusted without it
 * @param hostSuffix what follows the tenant in host names, without the dot between, lower case
 * @param defaultTenant of requests that do not say; empty: they are refused
 * @param roles the container's roles for each of ours; one that is missing nobody has
 */
public record ContainerSettings(
    String resolver,
    String claim,
    Optional<String> header,
    Optional<String> hostSuffix,
    Optional<TenantId> defaultTenant,
    Map<Role, List<String>> roles) {
  /** By a verified claim: what a client cannot make up. */
  public static final String BY_CLAIM = "claim";

  /** By a header, which something in front of the program sets. */
  public static final String BY_HEADER = "header";

  /** By the name of the host, which something in front of the program checks. */
  public static final String BY_HOST = "host";

  /** Name in JNDI of the executor for background work. */
  public static final String EXECUTOR = "wovyr.background.executor";

  /** Where that is looked for when no setting says so: every Jakarta EE server has one. */
  public static final String STANDARD_EXECUTOR = "java:comp/DefaultManagedScheduledExecutorService";

  /** As {@link #EXECUTOR}: threads of our own. */
  public static final String NO_EXECUTOR = "none";

  /** Name of the setting that chooses the resolver. */
  public static final String RESOLVER = "wovyr.tenant.resolver";

  private static final String CLAIM = "wovyr.tenant.claim";
  private static final String HEADER = "wovyr.tenant.header";
  private static final String HOST_SUFFIX = "wovyr.tenant.host-suffix";
  private static final String DEFAULT = "wovyr.tenant.default";
  private static final String ROLE_PREFIX = "wovyr.role.";
  private static final String STANDARD_CLAIM = "tenant_id";

  /** Refuses what cannot work, and keys that would be trusted by nobody. */
  public ContainerSettings {
    requireTogether(resolver, BY_HEADER, HEADER, header);
    requireTogether(resolver, BY_HOST, HOST_SUFFIX, hostSuffix);
    roles = Map.copyOf(roles);
  }

  private static void requireTogether(
      String resolver, String kind, String key, Optional<String> value) {
    if (resolver.equals(kind) && value.isEmpty()) {
      throw new InvalidInput(
          "%s is %s, and %s is not set: name what may be trusted".formatted(RESOLVER, kind, key));
    }
    boolean ours = List.of(BY_CLAIM, BY_HEADER, BY_HOST).contains(resolver);
    if (ours && !resolver.equals(kind) && value.isPresent()) {
      throw new InvalidInput(
          "%s is set, and %s is %s: set it to %s, or leave the other out"
              .formatted(key, RESOLVER, resolver, kind));
    }
  }

  /**
   * Reads them.
   *
   * @throws InvalidInput naming the setting that is missing or wrong
   */
  public static ContainerSettings from(Map<String, String> settings) {
    return new ContainerSettings(
        settings.getOrDefault(RESOLVER, BY_CLAIM),
        settings.getOrDefault(CLAIM, STANDARD_CLAIM),
        text(settings, HEADER),
        text(settings, HOST_SUFFIX).map(ContainerSettings::withoutDot),
        Optional.ofNullable(settings.get(DEFAULT)).map(ContainerSettings::tenant),
        roles(settings));
  }

  private static Optional<String> text(Map<String, String> settings, String key) {
    Optional<String> value = Optional.ofNullable(settings.get(key)).map(String::strip);
    if (value.filter(String::isEmpty).isPresent()) {
      throw new InvalidInput(key + " is empty: give a name, or leave it out");
    }
    return value;
  }

  private static String withoutDot(String suffix) {
    String lower = suffix.toLowerCase(Locale.ROOT);
    return lower.startsWith(".") ? lower.substring(1) : lower;
  }

  private static TenantId tenant(String value) {
    try {
      return new TenantId(value);
    } catch (InvalidInput e) {
      throw new InvalidInput(DEFAULT + " is no tenant: " + e.getMessage());
    }
  }

  private static Map<Role, List<String>> roles(Map<String, String> settings) {
    Map<Role, List<String>> found = new EnumMap<>(Role.class);
    new TreeMap<>(settings)
        .forEach(
            (key, value) -> {
              if (key.startsWith(ROLE_PREFIX)) {
                found.put(role(key), theirs(key, value));
              }
            });
    return found;
  }

  private static Role role(String key) {
    return Arrays.stream(Role.values())
        .filter(role -> key(role).equals(key))
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidInput(
                    "there is no setting %s; of roles there are %s"
                        .formatted(
                            key,
                            Arrays.stream(Role.values()).map(ContainerSettings::key).toList())));
  }

  private static String key(Role role) {
    return ROLE_PREFIX + role.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Separated by commas; a comma that belongs to a name has a backslash before it. */
  private static List<String> theirs(String key, String value) {
    List<String> names =
        Arrays.stream(value.split("(?<!\\\\),", -1))
            .map(name -> name.replace("\\,", ",").strip())
            .toList();
    if (names.contains("")) {
      throw new InvalidInput(key + " has an empty name: leave the setting out to give no right");
    }
    return names;
  }

  /** What can be set, for the reference page and the warning about unknown keys. */
  public static List<Setting> declared() {
    String where = "in a container (CDI)";
    List<Setting> all = new ArrayList<>();
    all.add(
        new Setting(
            RESOLVER,
            BY_CLAIM,
            "name",
            "what says for which tenant a request is: `claim`, `header`, `host`, or the name of a"
                + " `TenantResolver` bean of the application",
            where));
    all.add(
        new Setting(
            CLAIM,
            STANDARD_CLAIM,
            "name",
            "with `claim`: the claim of the caller's verified token (MicroProfile JWT) that names the"
                + " tenant",
            where));
    all.add(
        new Setting(
            HEADER,
            "none",
            "name",
            "with `header`: the HTTP header that names the tenant. A client can send any: only where"
                + " something in front sets it and removes what clients send",
            where));
    all.add(
        new Setting(
            HOST_SUFFIX,
            "none",
            "domain",
            "with `host`: what follows the tenant in the host name, such as `orders.example.com`. A"
                + " client can ask for any host: only where something in front checks it against the"
                + " caller",
            where));
    all.add(
        new Setting(
            DEFAULT,
            "none: refused",
            "tenant",
            "the tenant of requests that name none; for an application with one tenant. A request that"
                + " names a bad one is refused all the same",
            where));
    all.add(
        new Setting(
            EXECUTOR,
            "`" + STANDARD_EXECUTOR + "`, where there is one",
            "name in JNDI, or `none`",
            "the `ManagedScheduledExecutorService` that background work runs on, of four threads or"
                + " more; `none`: daemon threads of our own",
            where));
    for (Role role : Role.values()) {
      all.add(
          new Setting(
              key(role),
              "nobody",
              "names, by commas",
              "the container's roles or groups whose members are `"
                  + role
                  + "` ([rights](rights.md)); `\\,` is a comma in a name",
              where));
    }
    return List.copyOf(all);
  }
}
