/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.sealing.spi.SealingProvider.Binding;
import io.wovyr.persistence.sealing.spi.SealingProvider.KeyScope;
import io.wovyr.persistence.state.WorkflowState.Origin;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Where each sealed value belongs: to its record's key and id. */
final class Bindings {
  private Bindings() {}

  static Binding payload(WorkflowEvent event) {
    return eventPayload(
        event.header().tenantId(), event.executionId(), event.sequence(), event.id());
  }

  static Binding eventPayload(String tenantId, UUID executionId, long sequence, UUID eventId) {
    return event(tenantId, executionId, sequence, eventId, "payload");
  }

  static Binding change(WorkflowEvent event, int index) {
    return change(
        event.header().tenantId(), event.executionId(), event.sequence(), event.id(), index);
  }

  static Binding change(String tenantId, UUID executionId, long sequence, UUID eventId, int index) {
    return event(tenantId, executionId, sequence, eventId, "changes[" + index + "]");
  }

  static Binding of(String tenantId, Origin origin) {
    return event(
        tenantId,
        origin.executionId(),
        origin.sequence(),
        origin.eventId(),
        origin.attributePath());
  }

  private static Binding event(
      String tenantId, UUID executionId, long sequence, UUID eventId, String path) {
    Key key = Key.of(RecordTypes.EVENT, executionId, sequence);
    return of(tenantId, key, path, eventId, KeyScope.DATA);
  }

  static Binding execution(String tenantId, UUID executionId, String attribute) {
    Key key = Key.of(RecordTypes.EXECUTION, executionId);
    return of(tenantId, key, attribute, executionId, KeyScope.DATA);
  }

  static Binding of(String tenantId, Key key, String attribute, UUID originId, KeyScope scope) {
    List<String> values = new ArrayList<>(key.values().size());
    for (Object value : key.values()) {
      values.add(value.toString());
    }
    return new Binding(tenantId, key.type().name(), values, attribute, originId, scope);
  }
}
