/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.Caller;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;

/** The repositories of a command that may do one thing only. Stateless. */
final class RoleCaller {
  private RoleCaller() {}

  /** Of this tenant, with this role and no other. */
  static Repositories as(Role role, Persistence persistence, String tenant) {
    return persistence.as(Caller.of(tenant, "wovyr command", role));
  }
}
