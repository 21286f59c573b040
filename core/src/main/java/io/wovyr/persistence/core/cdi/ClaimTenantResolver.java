/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.cdi;

import io.wovyr.persistence.core.settings.ContainerSettings;
import io.wovyr.persistence.request.spi.IncomingRequest;
import io.wovyr.persistence.request.spi.TenantResolver;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import java.util.Optional;

/** The tenant is a claim of the caller's verified token. */
@Dependent
class ClaimTenantResolver implements TenantResolver {
  @Inject ConfiguredSettings configured;

  @Override
  public String name() {
    return ContainerSettings.BY_CLAIM;
  }

  @Override
  public Optional<String> resolve(IncomingRequest request) {
    return request.claim(configured.container().claim());
  }
}
