/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.storage.spi;

import io.wovyr.persistence.TenantId;

/**
 * Whose rows an operation sees. There is no operation without one.
 *
 * @since 0.1
 */
public sealed interface Scope {
  /** Tenant id of the system's own rows; no caller can have it. */
  String SYSTEM_TENANT = "$system";

  /** The tenant whose rows are read and written: exactly these, whatever a key says. */
  String tenantId();

  /** Rows of one tenant. */
  record Tenant(TenantId tenant) implements Scope {
    @Override
    public String tenantId() {
      return tenant.value();
    }
  }

  /**
   * The system's own rows, kept under {@link #SYSTEM_TENANT}; and keys, never values, of all
   * tenants by {@link Storage#scanSystem}.
   *
   * @param reason why, for the audit
   */
  record System(String reason) implements Scope {
    @Override
    public String tenantId() {
      return SYSTEM_TENANT;
    }
  }

  /** Rows of this tenant. */
  static Scope tenant(String id) {
    return new Tenant(new TenantId(id));
  }
}
