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
import java.util.Locale;
import java.util.Optional;

/** The tenant is the label before the suffix of the host name, in lower case as hosts are. */
@Dependent
class HostTenantResolver implements TenantResolver {
  @Inject ConfiguredSettings configured;

  @Override
  public String name() {
    return ContainerSettings.BY_HOST;
  }

  @Override
  public Optional<String> resolve(IncomingRequest request) {
    String suffix = configured.container().hostSuffix().orElseThrow();
    String host = request.host().map(name -> name.toLowerCase(Locale.ROOT)).orElse("");
    if (host.isEmpty() || host.equals(suffix)) {
      return Optional.empty();
    }
    String end = "." + suffix;
    String label = host.endsWith(end) ? host.substring(0, host.length() - end.length()) : "";
    if (label.isEmpty() || label.contains(".")) {
      throw new AccessDenied("the host of the request is no tenant's: one label before " + end);
    }
    return Optional.of(label);
  }
}
