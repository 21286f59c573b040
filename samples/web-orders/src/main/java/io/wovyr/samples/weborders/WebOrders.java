/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.samples.weborders;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;

/** The application: its resources are at {@code /}. */
@ApplicationPath("/")
public class WebOrders extends Application {
  /** For the container. */
  public WebOrders() {}
}
