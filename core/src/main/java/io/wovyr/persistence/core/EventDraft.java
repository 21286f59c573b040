/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.core.payload.PayloadSealer;
import io.wovyr.persistence.event.NewEvent;
import io.wovyr.persistence.event.NewEvent.Change;
import io.wovyr.persistence.event.StateChange;
import io.wovyr.persistence.event.WorkflowEvent;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * An event whose values are sealed, once, and whose place is still open: renumbering it changes
 * neither its id nor a sealed byte.
 */
record EventDraft(
    NewEvent plain,
    UUID id,
    Optional<String> dedupeKey,
    Optional<StoredPayload> payload,
    List<StateChange> changes) {

  static EventDraft seal(Engine engine, Scope scope, NewEvent event, Optional<String> dedupeKey) {
    UUID id = event.id().orElseGet(Engine::newId);
    PayloadSealer sealer = engine.sealer();
    String tenantId = scope.tenantId();
    Optional<StoredPayload> payload =
        event.payload().map(plain -> sealer.seal(plain, Bindings.eventPayload(tenantId, id)));
    List<StateChange> changes = new ArrayList<>();
    for (Change change : event.changes()) {
      if (change instanceof Change.Put put) {
        StoredPayload value =
            sealer.seal(put.value(), Bindings.change(tenantId, id, changes.size()));
        changes.add(
            new StateChange.Put(put.section(), put.key(), new StateChange.Value.Own(value)));
      } else if (change instanceof Change.PutPayload put) {
        changes.add(
            new StateChange.Put(put.section(), put.key(), new StateChange.Value.EventPayload()));
      } else if (change instanceof Change.Remove remove) {
        changes.add(new StateChange.Remove(remove.section(), remove.key()));
      }
    }
    return new EventDraft(event, id, dedupeKey, payload, changes);
  }

  WorkflowEvent at(
      Engine engine,
      Scope scope,
      String actor,
      UUID executionId,
      long sequence,
      long token,
      UUID commitId) {
    return new WorkflowEvent(
        engine.newHeader(id, scope, actor, RecordTypes.EVENT),
        executionId,
        sequence,
        plain.type(),
        plain.correlationId(),
        plain.causationId(),
        dedupeKey,
        token,
        commitId,
        payload,
        changes);
  }

  /**
   * Whether a stored event says the same: same id where one was given, and same content. Events of
   * this library have no given id; their content decides.
   */
  boolean isSameAs(WorkflowEvent stored, PayloadSealer sealer, boolean idRequired) {
    boolean sameId =
        plain
            .id()
            .map(stored.id()::equals)
            .orElse(!idRequired || SystemEvents.isReserved(plain.type()));
    return sameId
        && plain.type().equals(stored.type())
        && plain.correlationId().equals(stored.correlationId())
        && plain.causationId().equals(stored.causationId())
        && samePayload(stored, sealer)
        && sameChanges(stored, sealer);
  }

  private boolean samePayload(WorkflowEvent stored, PayloadSealer sealer) {
    if (plain.payload().isEmpty() || stored.payload().isEmpty()) {
      return plain.payload().isEmpty() && stored.payload().isEmpty();
    }
    return sealer.sameContent(
        plain.payload().get(),
        stored.payload().get(),
        Bindings.eventPayload(stored.header().tenantId(), stored.id()));
  }

  private boolean sameChanges(WorkflowEvent stored, PayloadSealer sealer) {
    if (plain.changes().size() != stored.changes().size()) {
      return false;
    }
    for (int i = 0; i < plain.changes().size(); i++) {
      if (!same(plain.changes().get(i), stored, i, sealer)) {
        return false;
      }
    }
    return true;
  }

  private static boolean same(Change wanted, WorkflowEvent event, int index, PayloadSealer sealer) {
    StateChange stored = event.changes().get(index);
    if (wanted instanceof Change.Remove remove) {
      return stored.equals(new StateChange.Remove(remove.section(), remove.key()));
    }
    if (wanted instanceof Change.PutPayload put) {
      return stored.equals(
          new StateChange.Put(put.section(), put.key(), new StateChange.Value.EventPayload()));
    }
    Change.Put put = (Change.Put) wanted;
    Payload value = put.value();
    return stored instanceof StateChange.Put there
        && there.section() == put.section()
        && there.key().equals(put.key())
        && there.value() instanceof StateChange.Value.Own own
        && sealer.sameContent(
            value, own.payload(), Bindings.change(event.header().tenantId(), event.id(), index));
  }
}
