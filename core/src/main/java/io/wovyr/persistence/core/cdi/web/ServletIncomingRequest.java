/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.cdi.web;

import io.wovyr.persistence.PersistenceException.AccessDenied;
import io.wovyr.persistence.request.spi.IncomingRequest;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Optional;

/** The HTTP request of this thread. No scope, so that it is no bean where servlets are missing. */
class ServletIncomingRequest implements IncomingRequest {
  private static final boolean TOKENS = isHere("org.eclipse.microprofile.jwt.JsonWebToken");

  @Inject Instance<HttpServletRequest> requests;

  @Override
  public Optional<String> actor() {
    return principal().map(Principal::getName);
  }

  @Override
  public boolean isInRole(String role) {
    return request().isUserInRole(role);
  }

  @Override
  public Optional<String> claim(String name) {
    return TOKENS ? principal().flatMap(principal -> Claims.of(principal, name)) : Optional.empty();
  }

  @Override
  public List<String> header(String name) {
    Enumeration<String> values = request().getHeaders(name);
    return values == null ? List.of() : Collections.list(values);
  }

  @Override
  public Optional<String> host() {
    return Optional.ofNullable(request().getServerName());
  }

  private Optional<Principal> principal() {
    return Optional.ofNullable(request().getUserPrincipal());
  }

  /**
   * A context of requests may be active without one of HTTP: on the thread of a timer, say. Servers
   * say so at the first call, each in its way.
   */
  private HttpServletRequest request() {
    try {
      HttpServletRequest request = requests.get();
      if (request.getMethod() != null) {
        return request;
      }
    } catch (RuntimeException e) {
      throw noRequest(e);
    }
    throw noRequest(null);
  }

  private static AccessDenied noRequest(@org.jspecify.annotations.Nullable RuntimeException why) {
    AccessDenied denied =
        new AccessDenied(
            "no HTTP request is handled on this thread, so nothing says on whose behalf: in"
                + " background work inject Persistence and use persistence.as(caller)");
    if (why != null) {
      denied.addSuppressed(why);
    }
    return denied;
  }

  private static boolean isHere(String name) {
    try {
      Class.forName(name, false, ServletIncomingRequest.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }
}
