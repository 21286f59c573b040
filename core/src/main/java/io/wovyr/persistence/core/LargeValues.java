/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.CommitReference;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.OutcomeUnknown;
import io.wovyr.persistence.PersistenceException.StorageFailure;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.core.Sender.Judge;
import io.wovyr.persistence.core.Sender.Sent;
import io.wovyr.persistence.core.mapping.Chunk;
import io.wovyr.persistence.core.mapping.LargeValue;
import io.wovyr.persistence.core.mapping.LargeValue.Status;
import io.wovyr.persistence.core.mapping.RecordMapper;
import io.wovyr.persistence.core.mapping.RecordMappers;
import io.wovyr.persistence.core.payload.ChunkReader;
import io.wovyr.persistence.payload.StoredPayload.Body;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.Batch.VersionIs;
import io.wovyr.persistence.storage.spi.CommitOutcome;
import io.wovyr.persistence.storage.spi.CommitOutcome.Failed;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Limits;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Scope;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps values that are too large for their records, in chunks that are records themselves, so that
 * every store can. A value is written before the batch of its record; that batch publishes it, by a
 * change that is refused once the value's removal began. What is never published, or is not
 * referred to any more, expires and is removed by {@link LargeValueSweep}. Thread-safe.
 */
final class LargeValues implements ChunkReader {
  private static final Logger LOG = LoggerFactory.getLogger(LargeValues.class);
  static final RecordMapper<LargeValue> VALUES = RecordMappers.of(LargeValue.class);
  private static final RecordMapper<Chunk> CHUNKS = RecordMappers.of(Chunk.class);

  private static final int CHUNK_BYTES = 1 << 20;

  /** The most that the row of a chunk has beside its content: the header with its names. */
  private static final int ROW_BYTES = 3 << 10;

  private static final int LEAST_CHUNK_BYTES = 1 << 10;
  private static final long COMMIT_BYTES = 8L << 20;
  private static final int PAGE = 8;

  private static final String GONE =
      ": it was replaced or purged since its record was read: read the record again";

  private final Engine engine;

  LargeValues(Engine engine) {
    this.engine = engine;
  }

  /**
   * A value that was taken out of its record and is still to be written.
   *
   * @param row of the {@link LargeValue}, as it is staged
   */
  record Staged(Row row, Bytes content) {
    Body.Chunked body() {
      return new Body.Chunked(
          (UUID) row.key().values().get(0), (Integer) FencedRows.require(row, "chunks"));
    }
  }

  /** Prepares a value of a record for being written; nothing is yet. */
  Staged prepare(Scope scope, String actor, Key owner, Bytes content) {
    boolean event = owner.type() == RecordTypes.EVENT;
    LargeValue value =
        new LargeValue(
            engine.newHeader(Engine.newId(), scope, actor, RecordTypes.LARGE_VALUE),
            Engine.newId(),
            Status.STAGED,
            owner.type().name(),
            executionOf(owner),
            event ? Optional.of((Long) owner.values().get(1)) : Optional.empty(),
            (int) ((content.size() + (long) chunkBytes() - 1) / chunkBytes()),
            content.size(),
            Optional.of(expiry()));
    return new Staged(VALUES.toRow(value), content);
  }

  private static Optional<UUID> executionOf(Key owner) {
    String name = owner.type() == RecordTypes.EXECUTION ? "id" : "executionId";
    return owner.type().key().stream().anyMatch(attribute -> attribute.name().equals(name))
        ? Optional.of((UUID) owner.values().get(-1 - owner.type().position(name)))
        : Optional.empty();
  }

  private Instant expiry() {
    return engine.now().plus(engine.settings().markerTtl());
  }

  private int chunkBytes() {
    int most = engine.storage().limits().recordBytes() - ROW_BYTES;
    return Math.max(LEAST_CHUNK_BYTES, Math.min(CHUNK_BYTES, most));
  }

  /**
   * Writes a value, durably, in commits of its own; nobody sees it before it is published. When
   * this throws, what was written expires.
   *
   * @throws Unavailable it is not written, or not wholly; retry is safe
   */
  void write(Scope scope, String actor, Staged staged, Deadline deadline) {
    Limits limits = engine.storage().limits();
    int perCommit =
        (int)
            Math.max(
                1,
                Math.min(
                    limits.batchItems() / 2,
                    Math.min(COMMIT_BYTES, limits.batchBytes()) / (chunkBytes() + ROW_BYTES)));
    long epoch = engine.epoch();
    insert(scope, epoch, List.of(new Mutation.Insert(staged.row())), List.of(), deadline);
    List<VersionIs> stillStaged =
        List.of(new VersionIs(staged.row().key(), staged.row().version()));
    Body.Chunked body = staged.body();
    for (int first = 0; first < body.chunks(); first += perCommit) {
      List<Mutation> inserts = new ArrayList<>();
      for (int number = first; number < Math.min(first + perCommit, body.chunks()); number++) {
        inserts.add(new Mutation.Insert(chunk(scope, actor, staged, number)));
      }
      insert(scope, epoch, inserts, stillStaged, deadline);
    }
  }

  private Row chunk(Scope scope, String actor, Staged staged, int number) {
    int from = number * chunkBytes();
    int to = (int) Math.min((long) from + chunkBytes(), staged.content().size());
    return CHUNKS.toRow(
        new Chunk(
            engine.newHeader(Engine.newId(), scope, actor, RecordTypes.CHUNK),
            staged.body().stageId(),
            number,
            Bytes.wrap(Arrays.copyOfRange(staged.content().unsafeArray(), from, to))));
  }

  private void insert(
      Scope scope, long epoch, List<Mutation> inserts, List<VersionIs> checks, Deadline deadline) {
    Batch batch = new Batch(Engine.newId(), epoch, scope, Optional.empty(), inserts, checks);
    Key first = inserts.get(0).key();
    try {
      if (!(engine.sender().send(batch, new Fresh(scope, first), deadline)
          instanceof Sent.Applied)) {
        throw new Unavailable(
            "nothing was written: "
                + first
                + " took so long that it was removed as left over: try again",
            null);
      }
    } catch (OutcomeUnknown e) {
      // Of this alone: the batch that would publish it was not sent.
      throw new Unavailable(
          "nothing was written but parts of a large value, which nobody sees: " + e.getMessage(),
          e);
    }
  }

  /** Nobody else inserts these keys: what is there was inserted by a former try. */
  private final class Fresh implements Judge {
    private final Scope scope;
    private final Key first;

    Fresh(Scope scope, Key first) {
      this.scope = scope;
      this.first = first;
    }

    @Override
    public boolean mayWrite() {
      return true;
    }

    @Override
    public boolean applied(List<Failed> refused, Deadline deadline) {
      return engine.exists(scope, first);
    }

    @Override
    public Optional<CommitReference> reference() {
      return Optional.empty();
    }
  }

  /** Whether a record refers to it. */
  static boolean isPublished(Row value) {
    return Status.PUBLISHED.name().equals(value.get("status"));
  }

  /** What makes a staged value one that its record, written in the same batch, refers to. */
  Mutation.Update publish(Staged staged, String actor) {
    return changed(staged.row(), Status.PUBLISHED, null, actor);
  }

  /**
   * What lets published values expire, as the records that referred to them do so no more.
   *
   * @param replaced each with the record that referred to it: those of others stay
   * @param here what is published in the caller's transaction, and nowhere else yet
   */
  List<Mutation> abandon(
      Scope scope, String actor, Map<UUID, Key> replaced, Function<UUID, Optional<Row>> here) {
    if (replaced.isEmpty()) {
      return List.of();
    }
    List<UUID> ids = List.copyOf(replaced.keySet());
    List<Optional<Row>> stored =
        engine.read(scope, ids.stream().map(id -> Key.of(RecordTypes.LARGE_VALUE, id)).toList());
    List<Mutation> changes = new ArrayList<>();
    for (int i = 0; i < ids.size(); i++) {
      Key owner = Objects.requireNonNull(replaced.get(ids.get(i)));
      Optional<Row> known = stored.get(i);
      here.apply(ids.get(i))
          .or(() -> known)
          .filter(LargeValues::isPublished)
          .filter(value -> isOf(value, owner))
          .ifPresent(value -> changes.add(abandon(value, actor)));
    }
    return changes;
  }

  private static boolean isOf(Row value, Key owner) {
    return owner.type().name().equals(value.get("ownerType"))
        && executionOf(owner).equals(Optional.ofNullable((UUID) value.get("executionId")));
  }

  /** Lets a staged value expire at once; one that was published all the same stays. */
  void discard(Scope scope, String actor, Staged staged) {
    Mutation discarded = changed(staged.row(), Status.ABANDONED, engine.now(), actor);
    Batch batch =
        new Batch(
            Engine.newId(), engine.epoch(), scope, Optional.empty(), List.of(discarded), List.of());
    try {
      CommitOutcome unused = engine.storage().commit(batch, engine.commitDeadline());
    } catch (StorageFailure e) {
      LOG.debug("{} is left to expire: {}", staged.row().key(), e.getMessage());
    }
  }

  /** As the other, of a value that was read; readers of its record still find it for a while. */
  Mutation abandon(Row value, String actor) {
    Instant readBefore = engine.now().plus(engine.settings().readDeadline());
    return changed(value, Status.ABANDONED, readBefore, actor);
  }

  /** What ends the time in which a value could be published. */
  Mutation.Update beginRemoval(Row value, String actor) {
    return changed(value, Status.REMOVING, (Instant) value.get("expiresAt"), actor);
  }

  private Mutation.Update changed(
      Row value, Status status, @Nullable Instant expiresAt, String actor) {
    Row after =
        new RowEdit(value)
            .set("status", status.name())
            .set("expiresAt", expiresAt)
            .build(value.header().next(engine.now(), actor));
    return new Mutation.Update(value, after);
  }

  @Override
  public Bytes read(String tenantId, Body.Chunked body, long most, Supplier<String> where) {
    Scope scope = Engine.scopeOf(tenantId, "reading a large value");
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    Scan chunks = Scan.byKey(RecordTypes.CHUNK, List.of(body.stageId()), PAGE);
    Optional<String> next = Optional.empty();
    int number = 0;
    do {
      Page<Row> page = engine.scan(scope, chunks.after(next));
      for (Row row : page.items()) {
        Chunk chunk = CHUNKS.fromRow(row);
        if (chunk.number() != number || number >= body.chunks()) {
          throw incomplete(scope, body, where.get() + " lacks its chunk " + number);
        }
        if (content.size() + (long) chunk.content().size() > most) {
          throw new Corrupt(where.get() + " has more bytes in its chunks than it says", null);
        }
        content.writeBytes(chunk.content().unsafeArray());
        number++;
      }
      next = page.next();
    } while (next.isPresent());
    if (number != body.chunks()) {
      throw incomplete(
          scope, body, where.get() + " has " + number + " of its " + body.chunks() + " chunks");
    }
    return Bytes.wrap(content.toByteArray());
  }

  /** Damage, unless no record refers to the value any more. */
  private PersistenceException incomplete(Scope scope, Body.Chunked body, String what) {
    boolean damaged =
        engine
            .read(scope, Key.of(RecordTypes.LARGE_VALUE, body.stageId()))
            .map(LargeValues::isPublished)
            .orElse(true);
    return damaged ? new Corrupt(what, null) : new InvalidInput(what + GONE);
  }
}
