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
import io.wovyr.persistence.sealing.spi.SealingProvider.Binding;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * An event whose place is still open. Its values are sealed when its place is known, since they are
 * bound to it: anew for each batch it is put into, the same bytes for all tries of one batch.
 */
record EventDraft(NewEvent plain, UUID id, Optional<String> dedupeKey) {

  static EventDraft of(NewEvent event, Optional<String> dedupeKey) {
    return new EventDraft(event, event.id().orElseGet(Engine::newId), dedupeKey);
  }

  /** The event in its place, sealed. */
  WorkflowEvent at(
      Engine engine,
      Scope scope,
      String actor,
      UUID executionId,
      long sequence,
      long token,
      UUID commitId) {
    Place place = new Place(engine.sealer(), scope.tenantId(), executionId, sequence, id);
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
        plain.payload().map(place::sealPayload),
        place.seal(plain.changes()));
  }

  /** Where the values of an event belong. */
  private record Place(
      PayloadSealer sealer, String tenantId, UUID executionId, long sequence, UUID eventId) {

    StoredPayload sealPayload(Payload value) {
      return sealer.seal(value, Bindings.eventPayload(tenantId, executionId, sequence, eventId));
    }

    List<StateChange> seal(List<Change> changes) {
      List<StateChange> sealed = new ArrayList<>();
      for (Change change : changes) {
        if (change instanceof Change.Put put) {
          Binding binding =
              Bindings.change(tenantId, executionId, sequence, eventId, sealed.size());
          StateChange.Value value = new StateChange.Value.Own(sealer.seal(put.value(), binding));
          sealed.add(new StateChange.Put(put.section(), put.key(), value));
        } else if (change instanceof Change.PutPayload put) {
          sealed.add(
              new StateChange.Put(put.section(), put.key(), new StateChange.Value.EventPayload()));
        } else if (change instanceof Change.Remove remove) {
          sealed.add(new StateChange.Remove(remove.section(), remove.key()));
        }
      }
      return sealed;
    }
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
        plain.payload().get(), stored.payload().get(), Bindings.payload(stored));
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
        && sealer.sameContent(value, own.payload(), Bindings.change(event, index));
  }
}
