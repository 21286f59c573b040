/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.cdi.web;

import jakarta.json.JsonString;
import java.security.Principal;
import java.util.Optional;
import org.eclipse.microprofile.jwt.JsonWebToken;

/** Claims of MicroProfile JWT; loaded only where it is. */
final class Claims {
  private Claims() {}

  /** A claim that is a text, as Java's or as JSON's: which one it is depends on the server. */
  static Optional<String> of(Principal principal, String name) {
    if (!(principal instanceof JsonWebToken token)) {
      return Optional.empty();
    }
    Object claim = token.getClaim(name);
    if (claim instanceof JsonString text) {
      return Optional.of(text.getString());
    }
    return claim instanceof String text ? Optional.of(text) : Optional.empty();
  }
}
