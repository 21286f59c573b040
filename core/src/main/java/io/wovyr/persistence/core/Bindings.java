/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.sealing.spi.SealingProvider.Binding;
import io.wovyr.persistence.sealing.spi.SealingProvider.KeyScope;
import io.wovyr.persistence.state.WorkflowState.Origin;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordTypes;
import java.util.UUID;

/** Where each sealed value belongs. */
final class Bindings {
  private Bindings() {}

  static Binding eventPayload(String tenantId, UUID eventId) {
    return event(tenantId, eventId, "payload");
  }

  static Binding change(String tenantId, UUID eventId, int index) {
    return event(tenantId, eventId, "changes[" + index + "]");
  }

  static Binding of(String tenantId, Origin origin) {
    return event(tenantId, origin.eventId(), origin.attributePath());
  }

  static Binding execution(String tenantId, UUID executionId, String attribute) {
    return new Binding(
        tenantId, RecordTypes.EXECUTION.name(), attribute, executionId, KeyScope.DATA);
  }

  static Binding of(
      String tenantId, RecordType type, String attribute, UUID originId, KeyScope scope) {
    return new Binding(tenantId, type.name(), attribute, originId, scope);
  }

  private static Binding event(String tenantId, UUID eventId, String path) {
    return new Binding(tenantId, RecordTypes.EVENT.name(), path, eventId, KeyScope.DATA);
  }
}
