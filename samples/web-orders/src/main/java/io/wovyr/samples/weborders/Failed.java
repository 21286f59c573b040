/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.weborders;

import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.UUID;

/**
 * Everything that nobody expected: a row that the database refuses, a transaction that cannot be
 * committed. A server's own page may show a stack trace; this one names a line of the log.
 */
@Provider
public class Failed implements ExceptionMapper<RuntimeException> {
  private static final Logger LOG = System.getLogger(Failed.class.getName());
  private static final int FAILED = 500;

  /** For the container. */
  public Failed() {}

  @Override
  public Response toResponse(RuntimeException failure) {
    if (failure instanceof WebApplicationException answer) {
      return answer.getResponse();
    }
    UUID id = UUID.randomUUID();
    LOG.log(Level.ERROR, "request failed: " + id, failure);
    return Response.status(FAILED)
        .type(MediaType.TEXT_PLAIN)
        .entity("failed; the log has more under " + id)
        .build();
  }
}
