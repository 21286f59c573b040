/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.weborders;

import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.PersistenceException.AccessDenied;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.LostRace;
import io.wovyr.persistence.PersistenceException.StorageFailure;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;

/** What the library refuses, in the words of HTTP. Its messages hold no values of anybody. */
@Provider
public class Refused implements ExceptionMapper<PersistenceException> {
  private static final int CONFLICT = 409;
  private static final int FORBIDDEN = 403;
  private static final int BAD_REQUEST = 400;
  private static final int UNAVAILABLE = 503;
  private static final int FAILED = 500;

  /** For the container. */
  public Refused() {}

  @Override
  public Response toResponse(PersistenceException refused) {
    return Response.status(status(refused))
        .type(MediaType.TEXT_PLAIN)
        .entity(refused.getMessage())
        .build();
  }

  static int status(PersistenceException refused) {
    if (refused instanceof AccessDenied) {
      return FORBIDDEN;
    }
    if (refused instanceof LostRace) {
      return CONFLICT;
    }
    if (refused instanceof InvalidInput) {
      return BAD_REQUEST;
    }
    return refused instanceof StorageFailure ? UNAVAILABLE : FAILED;
  }
}
