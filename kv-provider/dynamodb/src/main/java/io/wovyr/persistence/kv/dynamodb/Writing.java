/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.dynamodb;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.OutcomeUnknown;
import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.PersistenceException.StorageFailure;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.kv.KvStore;
import io.wovyr.persistence.kv.dynamodb.Control.SlotState;
import io.wovyr.persistence.kv.dynamodb.Slots.Slot;
import io.wovyr.persistence.kv.engine.AtomicWrite;
import io.wovyr.persistence.kv.engine.Change;
import io.wovyr.persistence.kv.engine.Condition;
import io.wovyr.persistence.kv.engine.Place;
import io.wovyr.persistence.kv.engine.Stored;
import io.wovyr.persistence.kv.engine.WriteOutcome;
import io.wovyr.persistence.kv.engine.WriteOutcome.Applied;
import io.wovyr.persistence.kv.engine.WriteOutcome.Refusal;
import io.wovyr.persistence.kv.engine.WriteOutcome.Refused;
import io.wovyr.persistence.storage.spi.Deadline;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * One write: one transaction, as often as it takes until it was applied, refused, or the deadline
 * is there. As soon as nobody knows whether one was applied, only the very same is sent again, with
 * its token. Its slot tells whether it was. For one thread, used once.
 */
final class Writing {
  private static final int MOST_ITEMS = 100;
  private static final long MOST_BYTES = 4L << 20;

  private final Table table;
  private final Control control;
  private final Slots slots;
  private final StampClock clock;
  private final AtomicWrite write;
  private final Deadline deadline;
  private final Backoff backoff;
  private final long epoch;
  private final int epochCheck;

  /** Positions of the changes in the order of the transaction's items behind the slot. */
  private final List<Integer> changes = new ArrayList<>();

  private @Nullable Slot slot;
  private @Nullable TransactWriteItemsRequest request;
  private Bytes stamp = Bytes.EMPTY;
  private boolean feeds;
  private boolean unsure;

  Writing(
      Table table,
      Control control,
      Slots slots,
      StampClock clock,
      AtomicWrite write,
      Deadline deadline) {
    this.table = table;
    this.control = control;
    this.slots = slots;
    this.clock = clock;
    this.write = write;
    this.deadline = deadline;
    this.backoff = new Backoff(deadline);
    int found = -1;
    for (int i = 0; i < write.changes().size(); i++) {
      if (isEpochCheck(write.changes().get(i))) {
        found = i;
      } else {
        changes.add(i);
      }
    }
    if (found < 0) {
      throw new IllegalArgumentException("a write that does not say in which epoch it was made");
    }
    epochCheck = found;
    epoch = ((Condition.VersionIs) write.changes().get(found).condition()).version();
  }

  private static boolean isEpochCheck(Change change) {
    return change instanceof Change.Check
        && change.condition() instanceof Condition.VersionIs
        && change.place().equals(KvStore.recordPlace());
  }

  WriteOutcome write() {
    if (changes.size() + 1 > MOST_ITEMS) {
      throw new Rejected(
          "the batch is %,d items; DynamoDB takes %,d in one write (batchItems)"
              .formatted(changes.size() + 1, MOST_ITEMS));
    }
    try {
      while (true) {
        Optional<WriteOutcome> outcome = attempt();
        if (outcome.isPresent()) {
          return outcome.get();
        }
      }
    } finally {
      if (slot != null && !unsure) {
        slots.give(slot, Bytes.EMPTY);
      }
    }
  }

  private Optional<WriteOutcome> attempt() {
    if (deadline.isOver()) {
      throw over(null);
    }
    if (slot == null) {
      slot = slots.take(epoch, deadline).orElse(null);
      if (slot == null) {
        return Optional.of(new Refused(List.of(new Refusal(epochCheck, Optional.empty()))));
      }
    }
    TransactWriteItemsRequest current = request == null ? make(slot) : request;
    request = current;
    try {
      table
          .client()
          .transactWriteItems(
              current.toBuilder().overrideConfiguration(Table.within(deadline)).build());
      return applied();
    } catch (TransactionCanceledException e) {
      return cancelled(e);
    } catch (SdkException e) {
      failed(e);
      return Optional.empty();
    }
  }

  private Optional<WriteOutcome> applied() {
    unsure = false;
    if (slot != null) {
      slots.give(slot, feeds ? stamp : Bytes.EMPTY);
      slot = null;
    }
    return Optional.of(new Applied());
  }

  private TransactWriteItemsRequest make(Slot by) {
    stamp = clock.next(epoch);
    Statement statement = new Statement(table.name(), stamp);
    List<Place> fed = new ArrayList<>();
    List<TransactWriteItem> items = new ArrayList<>(changes.size() + 1);
    for (int position : changes) {
      Change change = write.changes().get(position);
      items.add(statement.item(change));
      if (change instanceof Change.Append append) {
        fed.add(statement.placed(append));
      } else if (change instanceof Change.Put put && put.stamped()) {
        fed.add(put.place());
      }
    }
    feeds = !fed.isEmpty();
    items.add(0, statement.slot(by, fed));
    if (statement.bytes() > MOST_BYTES) {
      throw new Rejected(
          "the batch is about %,d bytes; DynamoDB takes %,d in one write (batchBytes)"
              .formatted(statement.bytes(), MOST_BYTES));
    }
    return TransactWriteItemsRequest.builder()
        .transactItems(items)
        .clientRequestToken(UUID.randomUUID().toString())
        .build();
  }

  private void failed(SdkException e) {
    Failure failure = Failure.of(e);
    if (failure == Failure.UNSURE) {
      unsure = true;
    } else if (failure != Failure.AGAIN && !unsure) {
      throw refusedBefore(failure, e);
    }
    if (!backoff.await()) {
      throw over(e);
    }
  }

  /** An answer about the request, not about what is stored. */
  private StorageFailure refusedBefore(Failure failure, SdkException e) {
    return Table.code(e).equals("ValidationException")
        ? new Rejected("DynamoDB does not take this write: see the cause", e)
        : table.failed(failure, e);
  }

  private StorageFailure over(@Nullable SdkException e) {
    return unsure
        ? new OutcomeUnknown(
            "the DynamoDB table %s did not say in time whether a write was applied: submit the same again"
                .formatted(table.name()),
            e)
        : new Unavailable(
            "the DynamoDB table %s took no write before the deadline; nothing was written"
                .formatted(table.name()),
            e);
  }

  /** Empty: try again. */
  private Optional<WriteOutcome> cancelled(TransactionCanceledException e) {
    if (Failure.of(e) == Failure.AGAIN) {
      failed(e);
      return Optional.empty();
    }
    if (unsure) {
      return settled(e);
    }
    List<CancellationReason> reasons = e.cancellationReasons();
    if (reasons.size() != changes.size() + 1) {
      throw table.failed(Failure.REFUSED, e);
    }
    boolean judged = lookAtSlot(reasons.get(0));
    List<Refusal> refusals = new ArrayList<>();
    for (int i = 0; i < changes.size(); i++) {
      CancellationReason reason = reasons.get(i + 1);
      if (isCondition(reason)) {
        judged = true;
        refusal(changes.get(i), reason.item()).ifPresent(refusals::add);
      } else if (!Failure.passes(reason)) {
        throw new Rejected(
            "DynamoDB does not take an item of this write (%s)".formatted(reason.code()), e);
      }
    }
    if (!judged) {
      throw table.failed(Failure.REFUSED, e);
    }
    if (!refusals.isEmpty()) {
      return Optional.of(new Refused(refusals));
    }
    // Its stamp was too low, or its slot is gone: again, with others.
    request = null;
    return Optional.empty();
  }

  private static boolean isCondition(CancellationReason reason) {
    return "ConditionalCheckFailed".equals(reason.code());
  }

  private boolean lookAtSlot(CancellationReason reason) {
    if (!isCondition(reason)) {
      return false;
    }
    if (!reason.hasItem() || reason.item().isEmpty()) {
      slot = null;
    } else {
      SlotState state = SlotState.of(reason.item());
      clock.observe(state.last());
      if (state.closed().equals(StampClock.HIGHEST)) {
        slot = null;
      } else {
        clock.observe(state.closed());
      }
    }
    return true;
  }

  /** What a condition that failed says; empty when only the stamp was too low. */
  private Optional<Refusal> refusal(int position, Map<String, AttributeValue> item) {
    Optional<Stored> actual = item.isEmpty() ? Optional.empty() : Optional.of(Items.stored(item));
    if (write.changes().get(position).condition().holds(actual)) {
      clock.observe(Items.bytes(item, Items.WRITTEN));
      return Optional.empty();
    }
    return Optional.of(new Refusal(position, actual));
  }

  /**
   * Makes sure whether the write was applied, after an answer was lost and a second try refused: it
   * never will be, once its slot is closed up to its stamp.
   */
  private Optional<WriteOutcome> settled(SdkException e) {
    Slot by = slot;
    Optional<SlotState> closed = by == null ? Optional.empty() : closed(by, e);
    if (closed.isEmpty()) {
      throw over(e);
    }
    SlotState state = closed.get();
    if (state.last().equals(stamp)) {
      try {
        table.awaitWhole(keys(), deadline);
      } catch (Unavailable late) {
        throw over(e);
      }
      return applied();
    }
    unsure = false;
    request = null;
    clock.observe(state.last());
    if (state.closed().equals(StampClock.HIGHEST)) {
      slot = null;
    }
    return Optional.empty();
  }

  /** Where it wrote. */
  private List<Map<String, AttributeValue>> keys() {
    Statement statement = new Statement(table.name(), stamp);
    return changes.stream()
        .map(position -> write.changes().get(position))
        .map(
            change ->
                Items.key(
                    change instanceof Change.Append append
                        ? statement.placed(append)
                        : change.place()))
        .toList();
  }

  private Optional<SlotState> closed(Slot by, SdkException e) {
    try {
      return control.close(by.key(), stamp, deadline);
    } catch (Unavailable late) {
      throw over(e);
    }
  }
}
