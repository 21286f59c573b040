/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.internal.Inputs;
import java.util.Optional;
import java.util.Set;

/**
 * On whose behalf work is done: the tenant whose data is visible, the actor recorded on every
 * change, and the roles. Immutable; made once per request from the security context, never from
 * request data.
 *
 * @param actor a person or program, 1 to 255 characters, stored as {@code updatedBy}
 * @param client where the call comes from, such as an address or the name of an application, 1 to
 *     255 characters; kept in histories only, sealed where values are sealed
 * @since 0.1
 */
public record Caller(TenantId tenant, String actor, Set<Role> roles, Optional<String> client) {
  /**
   * @throws InvalidInput when the tenant or the actor is missing, or one of the texts bad
   */
  public Caller {
    if (tenant == null) {
      throw new InvalidInput("tenant is missing: say whose data it is");
    }
    Inputs.name("actor", actor);
    client.ifPresent(text -> Inputs.name("client", text));
    roles = Set.copyOf(roles);
  }

  /** A caller that does not say where it calls from. */
  public Caller(TenantId tenant, String actor, Set<Role> roles) {
    this(tenant, actor, roles, Optional.empty());
  }

  /** A caller with these roles. */
  public static Caller of(String tenant, String actor, Role... roles) {
    return new Caller(new TenantId(tenant), actor, Set.of(roles));
  }

  /** The same caller, calling from here. */
  public Caller withClient(String value) {
    return new Caller(tenant, actor, roles, Optional.of(value));
  }
}
