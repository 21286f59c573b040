/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.core.LargeValues.Staged;
import io.wovyr.persistence.core.payload.StateChangeCodec;
import io.wovyr.persistence.event.StateChange;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.payload.StoredPayload.Body;
import io.wovyr.persistence.storage.spi.Attribute;
import io.wovyr.persistence.storage.spi.Attribute.Kind;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scope;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Takes the largest values out of the rows of one batch that are too large. Used once. */
final class LargeRows {
  /** Smaller ones stay: taking them out saves little and costs a read each. */
  private static final int LEAST_BYTES = 4 << 10;

  /** What stands in a row in the place of a body. */
  private static final int REFERENCE_BYTES = 64;

  private final Engine engine;
  private final Scope scope;
  private final String actor;
  private final List<Staged> staged = new ArrayList<>();

  LargeRows(Engine engine, Scope scope, String actor) {
    this.engine = engine;
    this.scope = scope;
    this.actor = actor;
  }

  /** What was taken out, to be written before the batch is sent. */
  List<Staged> staged() {
    return staged;
  }

  /** A row that fits, or is as small as it can be; empty: this one fits. */
  Optional<Row> smaller(Row row) {
    if (!hasLarge(row)) {
      return Optional.empty();
    }
    int limit = inlineLimit();
    return row.sizeBytes() > limit
        ? Optional.of(new Fitting(row, limit).fitted())
        : Optional.empty();
  }

  private int inlineLimit() {
    return Math.min(engine.settings().inlineLimit(), engine.storage().limits().recordBytes());
  }

  /** Whether there is anything to take out; cheap, since in most rows there is not. */
  private static boolean hasLarge(Row row) {
    long size = 0;
    for (Object value : row.values()) {
      if (value instanceof Bytes bytes) {
        size += bytes.size();
      } else if (value instanceof StoredPayload payload
          && payload.body() instanceof Body.Inline inline) {
        size += inline.bytes().size();
      }
    }
    return size >= LEAST_BYTES;
  }

  /** The values in chunks that a row refers to and its next version does not. */
  static Set<UUID> replaced(@Nullable Row before, @Nullable Row after) {
    if (before == null || before.type().keepsHistory()) {
      return Set.of();
    }
    Set<UUID> ids = chunked(before);
    if (after != null && !ids.isEmpty()) {
      ids.removeAll(chunked(after));
    }
    return ids;
  }

  private static Set<UUID> chunked(Row row) {
    return row.values().stream()
        .filter(StoredPayload.class::isInstance)
        .map(value -> ((StoredPayload) value).body())
        .filter(Body.Chunked.class::isInstance)
        .map(body -> ((Body.Chunked) body).stageId())
        .collect(Collectors.toSet());
  }

  /** One value that may be taken out, and how the row is without it. */
  private record Candidate(StoredPayload payload, Consumer<StoredPayload> replace) {
    int size() {
      return ((Body.Inline) payload.body()).bytes().size();
    }
  }

  private final class Fitting {
    private final Row row;
    private final int limit;
    private final RowEdit edit;
    private final List<Candidate> candidates = new ArrayList<>();

    Fitting(Row row, int limit) {
      this.row = row;
      this.limit = limit;
      this.edit = new RowEdit(row);
    }

    Row fitted() {
      for (Attribute attribute : row.type().attributes()) {
        if (attribute.kind() == Kind.PAYLOAD
            && row.get(attribute.name()) instanceof StoredPayload payload) {
          offer(payload, changed -> edit.set(attribute.name(), changed));
        }
      }
      List<StateChange> changes = new ArrayList<>();
      if (row.type() == RecordTypes.EVENT) {
        changes.addAll(StateChangeCodec.decode((Bytes) FencedRows.require(row, "changes")));
        for (int i = 0; i < changes.size(); i++) {
          offer(changes, i);
        }
      }
      takeOut();
      if (row.type() == RecordTypes.EVENT) {
        edit.set("changes", StateChangeCodec.encode(changes));
      }
      return edit.build(row.header());
    }

    private void offer(List<StateChange> changes, int index) {
      if (changes.get(index) instanceof StateChange.Put put
          && put.value() instanceof StateChange.Value.Own own) {
        offer(
            own.payload(),
            changed ->
                changes.set(
                    index,
                    new StateChange.Put(
                        put.section(), put.key(), new StateChange.Value.Own(changed))));
      }
    }

    private void offer(StoredPayload payload, Consumer<StoredPayload> replace) {
      if (payload.body() instanceof Body.Inline inline && inline.bytes().size() >= LEAST_BYTES) {
        candidates.add(new Candidate(payload, replace));
      }
    }

    /** The largest first, as few as it takes. */
    private void takeOut() {
      candidates.sort(Comparator.comparingInt(Candidate::size).reversed());
      long size = row.sizeBytes();
      for (Candidate candidate : candidates) {
        if (size <= limit) {
          return;
        }
        StoredPayload payload = candidate.payload();
        Staged value =
            engine
                .largeValues()
                .prepare(scope, actor, row.key(), ((Body.Inline) payload.body()).bytes());
        staged.add(value);
        candidate.replace().accept(payload.with(value.body()));
        size -= candidate.size() - REFERENCE_BYTES;
      }
    }
  }
}
