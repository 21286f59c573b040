/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.dynamodb;

import static io.wovyr.persistence.kv.dynamodb.Items.binary;
import static io.wovyr.persistence.kv.dynamodb.Items.number;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.storage.spi.Deadline;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/**
 * The items of the engine's own: one that says how far the feed may be read, and one per slot. They
 * are one partition, which no key of the record layer begins with. Thread-safe.
 */
final class Control {
  /** How items lie in the table; a table of a higher one is left alone. */
  static final int LAYOUT = 1;

  private static final byte[] PARTITION = {(byte) 0xf0};
  private static final byte[] FEED = {1};
  private static final byte SLOT = 2;

  /** Of the first item: its layout. */
  private static final String LAYOUT_OF = "y";

  /** Of the first item: up to which stamp all slots are to be closed, or are removed. */
  private static final String INTENT = "n";

  /** Of the first item: up to which stamp all is there that will ever be. */
  private static final String HORIZON = "h";

  /** Of a slot: the epoch of whoever writes by it. */
  static final String EPOCH = "v";

  /** Of a slot: stamp of its last write. */
  static final String LAST = "l";

  /** Of a slot: stamp of its last write that added to the feed. */
  static final String LAST_FED = "f";

  /** Of a slot: what that write put where readers of the feed look. */
  static final String FED = "a";

  /** Of a slot: writes up to this stamp are refused. */
  static final String CLOSED = "c";

  /** The first item. */
  record Feed(Bytes intent, Bytes horizon) {}

  /** A slot as it was read. */
  record SlotState(
      Map<String, AttributeValue> key,
      long epoch,
      Bytes last,
      Bytes lastFed,
      Bytes closed,
      Bytes fed) {
    static SlotState of(Map<String, AttributeValue> item) {
      return new SlotState(
          Map.of(
              Items.PARTITION, binary(Items.bytes(item, Items.PARTITION)),
              Items.SORT, binary(Items.bytes(item, Items.SORT))),
          number(item, EPOCH),
          Items.bytes(item, LAST),
          Items.bytes(item, LAST_FED),
          Items.bytes(item, CLOSED),
          Items.bytes(item, FED));
    }
  }

  /** All of it. */
  record Everything(Feed feed, List<SlotState> slots) {}

  private final Table table;

  Control(Table table) {
    this.table = table;
  }

  private static Map<String, AttributeValue> feedKey() {
    return Map.of(Items.PARTITION, binary(PARTITION), Items.SORT, binary(FEED));
  }

  /** A key for a slot that nobody has. */
  static Map<String, AttributeValue> newSlotKey() {
    UUID id = UUID.randomUUID();
    byte[] sort =
        ByteBuffer.allocate(17)
            .put(SLOT)
            .putLong(id.getMostSignificantBits())
            .putLong(id.getLeastSignificantBits())
            .array();
    return Map.of(Items.PARTITION, binary(PARTITION), Items.SORT, binary(sort));
  }

  /** Makes the first item, unless it is there. */
  void create(Deadline deadline) {
    Map<String, AttributeValue> item = new HashMap<>(feedKey());
    item.put(LAYOUT_OF, number(LAYOUT));
    item.put(INTENT, binary(StampClock.LOWEST));
    item.put(HORIZON, binary(StampClock.LOWEST));
    try {
      table.send(
          deadline,
          bounds ->
              table
                  .client()
                  .putItem(
                      put ->
                          put.tableName(table.name())
                              .item(item)
                              .conditionExpression("attribute_not_exists(p)")
                              .overrideConfiguration(bounds)));
    } catch (ConditionalCheckFailedException e) {
      // It is there.
    }
  }

  /** Whether there is a first item, of a layout that this version knows. */
  boolean exists(Deadline deadline) {
    Optional<Map<String, AttributeValue>> found = table.get(feedKey(), deadline);
    found.ifPresent(this::feed);
    return found.isPresent();
  }

  private Feed feed(Map<String, AttributeValue> item) {
    long layout = number(item, LAYOUT_OF);
    if (layout > LAYOUT) {
      throw new UnsupportedVersion(
          "the DynamoDB table %s has layout %d; this version knows %d: use a newer one"
              .formatted(table.name(), layout, LAYOUT));
    }
    return new Feed(Items.bytes(item, INTENT), Items.bytes(item, HORIZON));
  }

  /** Reads all of it. What was there before this began is seen. */
  Everything read(Deadline deadline) {
    List<Map<String, AttributeValue>> items = new ArrayList<>();
    QueryRequest request =
        QueryRequest.builder()
            .keyConditionExpression("p = :p")
            .expressionAttributeValues(Map.of(":p", binary(PARTITION)))
            .build();
    while (true) {
      QueryResponse page = table.query(request, deadline);
      items.addAll(page.items());
      if (!page.hasLastEvaluatedKey() || page.lastEvaluatedKey().isEmpty()) {
        break;
      }
      request = request.toBuilder().exclusiveStartKey(page.lastEvaluatedKey()).build();
    }
    if (items.isEmpty() || Items.bytes(items.get(0), Items.SORT).at(0) != FEED[0]) {
      throw new Corrupt(
          "the DynamoDB table %s has lost what says how far its feed is: restore a backup"
              .formatted(table.name()),
          null);
    }
    return new Everything(
        feed(items.get(0)), items.subList(1, items.size()).stream().map(SlotState::of).toList());
  }

  /** Says that slots are going to be closed up to this stamp: new ones begin above. */
  void intend(Bytes stamp, Deadline deadline) {
    raise(INTENT, stamp, deadline);
  }

  /** Says that all is there up to this stamp. */
  void publish(Bytes stamp, Deadline deadline) {
    raise(HORIZON, stamp, deadline);
  }

  private void raise(String attribute, Bytes stamp, Deadline deadline) {
    try {
      table.send(
          deadline,
          bounds ->
              table
                  .client()
                  .updateItem(
                      update ->
                          update
                              .tableName(table.name())
                              .key(feedKey())
                              .updateExpression("SET " + attribute + " = :s")
                              .conditionExpression(attribute + " < :s")
                              .expressionAttributeValues(Map.of(":s", binary(stamp)))
                              .overrideConfiguration(bounds)));
    } catch (ConditionalCheckFailedException e) {
      // Somebody raised it higher.
    }
  }

  /**
   * Makes a slot, by one request that is never sent again: one that came late would bring back a
   * slot that was removed meanwhile, and nothing would be closed in it.
   *
   * @throws SdkException as it came; then this key must not be used
   */
  void createSlot(Map<String, AttributeValue> key, long epoch, Bytes last, Deadline deadline) {
    Map<String, AttributeValue> item = new HashMap<>(key);
    item.put(EPOCH, number(epoch));
    item.put(LAST, binary(last));
    item.put(CLOSED, binary(StampClock.LOWEST));
    table
        .client()
        .putItem(
            put ->
                put.tableName(table.name())
                    .item(item)
                    .conditionExpression("attribute_not_exists(p)")
                    .overrideConfiguration(Table.within(deadline)));
  }

  /**
   * Makes a slot refuse writes up to a stamp.
   *
   * @return how it is then; empty when it is not there
   */
  Optional<SlotState> close(Map<String, AttributeValue> key, Bytes stamp, Deadline deadline) {
    try {
      return Optional.of(
          SlotState.of(
              table
                  .send(
                      deadline,
                      bounds ->
                          table
                              .client()
                              .updateItem(
                                  update ->
                                      update
                                          .tableName(table.name())
                                          .key(key)
                                          .updateExpression("SET c = :s")
                                          .conditionExpression("c < :s")
                                          .expressionAttributeValues(Map.of(":s", binary(stamp)))
                                          .returnValues("ALL_NEW")
                                          .overrideConfiguration(bounds)))
                  .attributes()));
    } catch (ConditionalCheckFailedException e) {
      return table.get(key, deadline).map(SlotState::of);
    }
  }

  /**
   * Waits until the last write of a slot that added to the feed is whole: a transaction becomes
   * visible item by item, and reads of several items by another one wait for its end.
   */
  void awaitWhole(SlotState slot, Deadline deadline) {
    table.awaitWhole(FedKeys.decode(slot.fed()), deadline);
  }

  /** Removes a slot for good, once nothing that was written by it is half visible. */
  void removeSlot(SlotState slot, Deadline deadline) {
    Optional<SlotState> closed = close(slot.key(), StampClock.HIGHEST, deadline);
    closed.ifPresent(
        state -> {
          awaitWhole(state, deadline);
          deleteSlot(state.key(), state.lastFed(), deadline);
        });
  }

  /**
   * Removes a slot whose last write is known to be whole.
   *
   * @param lastFed how far its writes added to the feed; readers would not learn it otherwise
   */
  void deleteSlot(Map<String, AttributeValue> key, Bytes lastFed, Deadline deadline) {
    if (lastFed.size() > 0) {
      intend(lastFed, deadline);
    }
    table.send(
        deadline,
        bounds ->
            table
                .client()
                .deleteItem(
                    delete ->
                        delete.tableName(table.name()).key(key).overrideConfiguration(bounds)));
  }
}
