/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.dynamodb;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.OutcomeUnknown;
import io.wovyr.persistence.PersistenceException.StorageFailure;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.kv.KvStore;
import io.wovyr.persistence.kv.engine.AtomicWrite;
import io.wovyr.persistence.kv.engine.Change;
import io.wovyr.persistence.kv.engine.Condition;
import io.wovyr.persistence.kv.engine.Engine;
import io.wovyr.persistence.kv.engine.Range;
import io.wovyr.persistence.kv.engine.Shape;
import io.wovyr.persistence.kv.engine.Stored;
import io.wovyr.persistence.kv.engine.View;
import io.wovyr.persistence.kv.engine.WriteOutcome;
import io.wovyr.persistence.storage.spi.Capability;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Health;
import io.wovyr.persistence.storage.spi.Limits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/** A handle of a table. */
final class DynamoDbEngine implements Engine {
  static final Set<Capability> CAPABILITIES = Set.of(Capability.MULTI_PROCESS);

  /**
   * An item takes 400 KB: a block that is not full and one row more. A write takes 100 items: each
   * of the batch may be a block with the tail of its series, beside the slot and what is appended
   * to the feed of the tenant and of all.
   */
  static final Limits LIMITS = new Limits(300_000, 48, 3_000_000, 1, 1);

  private static final int BLOCK_BYTES = 64_000;
  private static final Duration HEALTH = Duration.ofSeconds(2);

  private final Table table;
  private final Shape shape;
  private final StampClock clock;
  private final Control control;
  private final Slots slots;
  private final Horizon horizon;

  /**
   * @param shards of a store that is made here; one that is there has its own
   */
  DynamoDbEngine(Table table, int shards) {
    this(table, shards, new StampClock());
  }

  DynamoDbEngine(Table table, int shards, StampClock clock) {
    this.table = table;
    this.clock = clock;
    shape = new Shape(CAPABILITIES, LIMITS, shards, false, BLOCK_BYTES, false, false);
    control = new Control(table);
    slots = new Slots(table, control, clock);
    horizon = new Horizon(control);
  }

  Table table() {
    return table;
  }

  Control control() {
    return control;
  }

  @Override
  public Shape shape() {
    return shape;
  }

  @Override
  public String description() {
    return "the DynamoDB table " + table.name();
  }

  @Override
  public View view(Deadline deadline) {
    if (deadline.isOver()) {
      throw new Unavailable("the deadline is over; nothing was read", null);
    }
    return new DynamoDbView(table, horizon, clock, deadline);
  }

  @Override
  public List<WriteOutcome> write(List<AtomicWrite> writes, Deadline deadline) {
    List<WriteOutcome> outcomes = new ArrayList<>(writes.size());
    for (AtomicWrite write : writes) {
      try {
        outcomes.add(write(write, deadline));
      } catch (StorageFailure e) {
        if (outcomes.stream().noneMatch(WriteOutcome.Applied.class::isInstance)) {
          throw e;
        }
        throw new OutcomeUnknown("some writes of a call were applied, one failed", e);
      }
    }
    return outcomes;
  }

  private WriteOutcome write(AtomicWrite write, Deadline deadline) {
    Change first = write.changes().get(0);
    if (first instanceof Change.Put put && put.place().equals(KvStore.recordPlace())) {
      return writeRecord(put, deadline);
    }
    return new Writing(table, control, slots, clock, write, deadline).write();
  }

  /** Writes the record of the store. It may begin a new epoch, which ends all before it. */
  private WriteOutcome writeRecord(Change.Put put, Deadline deadline) {
    Map<String, AttributeValue> item = Items.item(put.place(), put.value());
    Map<String, AttributeValue> values = new HashMap<>();
    String expression = "attribute_not_exists(p)";
    if (put.condition() instanceof Condition.VersionIs is) {
      expression = "v = :v";
      values.put(":v", Items.number(is.version()));
    }
    String condition = expression;
    try {
      table.send(
          deadline,
          bounds ->
              table
                  .client()
                  .putItem(
                      request ->
                          request
                              .tableName(table.name())
                              .item(item)
                              .conditionExpression(condition)
                              .expressionAttributeValues(values.isEmpty() ? null : values)
                              .overrideConfiguration(bounds)));
    } catch (ConditionalCheckFailedException e) {
      Optional<Stored> actual = table.get(Items.key(put.place()), deadline).map(Items::stored);
      if (!actual.equals(Optional.of(put.value()))) {
        return new WriteOutcome.Refused(List.of(new WriteOutcome.Refusal(0, actual)));
      }
    }
    if (put.condition() instanceof Condition.VersionIs) {
      slots.endEpochsBefore(put.value().version(), deadline);
    }
    return new WriteOutcome.Applied();
  }

  @Override
  public long sizeBytes(Range range) {
    return 0;
  }

  @Override
  public Health health() {
    try {
      boolean there = control.exists(Deadline.after(HEALTH));
      return new Health(
          there,
          Optional.empty(),
          there ? Optional.empty() : Optional.of(description() + " has no store any more"));
    } catch (Corrupt | Unavailable e) {
      return new Health(false, Optional.empty(), Optional.ofNullable(e.getMessage()));
    } catch (RuntimeException e) {
      return new Health(
          false, Optional.empty(), Optional.of(description() + " cannot be used: " + e));
    }
  }

  /** Where readers of the feed may go now. */
  Bytes horizon(Deadline deadline) {
    return horizon.move(deadline);
  }

  @Override
  public void close() {
    slots.close();
    table.close();
  }
}
