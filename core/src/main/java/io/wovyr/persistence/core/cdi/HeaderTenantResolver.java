/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.cdi;

import io.wovyr.persistence.PersistenceException.AccessDenied;
import io.wovyr.persistence.core.settings.ContainerSettings;
import io.wovyr.persistence.request.spi.IncomingRequest;
import io.wovyr.persistence.request.spi.TenantResolver;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Optional;

/** The tenant is a header that something in front of this program sets, and only there once. */
@Dependent
class HeaderTenantResolver implements TenantResolver {
  @Inject ConfiguredSettings configured;

  @Override
  public String name() {
    return ContainerSettings.BY_HEADER;
  }

  /** One that a client sent beside it may have been kept, or put into the same line. */
  @Override
  public Optional<String> resolve(IncomingRequest request) {
    String header = configured.container().header().orElseThrow();
    List<String> values = request.header(header);
    if (values.size() > 1 || values.stream().anyMatch(value -> value.contains(","))) {
      throw new AccessDenied("the header " + header + " names several tenants");
    }
    return values.stream().findFirst();
  }
}
