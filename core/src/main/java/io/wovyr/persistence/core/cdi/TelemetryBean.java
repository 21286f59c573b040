/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.cdi;

import io.opentelemetry.api.OpenTelemetry;
import io.wovyr.persistence.core.telemetry.OpenTelemetryInstruments;
import io.wovyr.persistence.core.telemetry.Telemetry;
import jakarta.enterprise.inject.Instance;

/** Finds the container's OpenTelemetry, where there is one: its API need not be there. */
final class TelemetryBean {
  private static final String API = "io.opentelemetry.api.OpenTelemetry";

  private TelemetryBean() {}

  static Telemetry find(Instance<Object> any) {
    try {
      Class.forName(API, false, TelemetryBean.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      return Telemetry.none();
    }
    return OfApi.find(any);
  }

  /** Loaded only where the API is. */
  private static final class OfApi {
    static Telemetry find(Instance<Object> any) {
      Instance<OpenTelemetry> found = any.select(OpenTelemetry.class);
      return found.isResolvable() ? new OpenTelemetryInstruments(found.get()) : Telemetry.none();
    }
  }
}
