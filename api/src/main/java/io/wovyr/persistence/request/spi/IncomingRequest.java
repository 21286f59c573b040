/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.request.spi;

import java.util.List;
import java.util.Optional;

/**
 * The request that this thread works for. In a servlet container there is one for every HTTP
 * request; an application with requests of another kind (messages, say) offers a bean of its own,
 * which is taken instead. Used by the thread of the request.
 *
 * @since 0.1
 */
public interface IncomingRequest {
  /** Who was authenticated by the container; empty for an anonymous request. */
  Optional<String> actor();

  /** Whether who was authenticated has this role or group of the container. */
  boolean isInRole(String role);

  /**
   * A claim of the caller's token that the container has verified; empty when there is no token, or
   * the claim is no text.
   */
  Optional<String> claim(String name);

  /** All values of a header, as they were sent: nobody has verified them. */
  List<String> header(String name);

  /** The host name the client asked for, without a port: nobody has verified it. */
  Optional<String> host();
}
