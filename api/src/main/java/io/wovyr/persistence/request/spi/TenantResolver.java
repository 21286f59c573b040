/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.request.spi;

import java.util.Optional;

/**
 * Says for which tenant a request is. A CDI bean, chosen by {@code wovyr.tenant.resolver}; asked
 * once per request, before anything of the store is touched. Thread-safe.
 *
 * <p><b>Security:</b> the answer decides whose data is seen. Answer only what was verified (a claim
 * of a checked token), or what a client cannot choose freely because something in front of this
 * program sets it.
 *
 * @since 0.1
 */
public interface TenantResolver {
  /** Name used in settings and listings, lower case, such as {@code claim}. */
  String name();

  /**
   * The tenant of this request, as it was found: it is checked by whoever asked. Empty when the
   * request does not say; then {@code wovyr.tenant.default} is taken where it is set, and the
   * request is refused where it is not.
   *
   * @throws io.wovyr.persistence.PersistenceException.AccessDenied when the request says something
   *     that must not be taken for any tenant; no default is taken then
   */
  Optional<String> resolve(IncomingRequest request);
}
