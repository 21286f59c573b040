/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance.fault;

/**
 * What happens to one request on its way over a {@link FaultyWire}. A request is what a client
 * sends after it heard the server last.
 *
 * @since 0.1
 */
public enum WireFault {
  /** Nothing: the request goes through. */
  NONE,
  /** The connection breaks before anything of the request gets through. */
  BEFORE_REQUEST,
  /** Half of the request's first piece gets through. */
  DURING_REQUEST,
  /** The server answers, and nothing of the answer gets through. */
  BEFORE_REPLY,
  /** The first byte of the answer gets through. */
  DURING_REPLY,
  /** The answer gets through; the connection is broken when the client uses it again. */
  AFTER_REPLY,
  /** The request is kept, and with it the connection; see {@link FaultyWire#letGo()}. */
  HELD
}
