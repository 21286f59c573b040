/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.dynamodb;

import static io.wovyr.persistence.kv.dynamodb.Items.binary;
import static io.wovyr.persistence.kv.dynamodb.Items.number;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.kv.engine.Change;
import io.wovyr.persistence.kv.engine.Condition;
import io.wovyr.persistence.kv.engine.Place;
import io.wovyr.persistence.kv.engine.Stored;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.Update;

/**
 * Changes as items of one transaction. What conditions look at also says which write changed it
 * last, and that has to be one of a lower stamp: so stamps are in the order of the writes of a key,
 * whatever the clocks of those who wrote.
 */
final class Statement {
  private static final String LOWER = "(attribute_not_exists(t) OR t < :t)";
  private static final ReturnValuesOnConditionCheckFailure OLD =
      ReturnValuesOnConditionCheckFailure.ALL_OLD;
  private static final long MOST_ITEM_BYTES = 400L << 10;

  private final String table;
  private final Bytes stamp;
  private long bytes;

  Statement(String table, Bytes stamp) {
    this.table = table;
    this.stamp = stamp;
  }

  /** What all items so far have of the size that DynamoDB bounds, about. */
  long bytes() {
    return bytes;
  }

  TransactWriteItem item(Change change) {
    if (change instanceof Change.Put put) {
      Stored value = put.value();
      Stored stamped = put.stamped() ? new Stored(value.version(), stamp, value.body()) : value;
      return put(put.place(), put.condition(), stamped);
    }
    if (change instanceof Change.Append append) {
      // Nobody else has the stamp.
      return put(placed(append), Condition.NONE, new Stored(0, append.body()));
    }
    checkKey(change.place());
    bytes += change.place().bytes().length + 4L;
    Map<String, AttributeValue> key = Items.key(change.place());
    Map<String, AttributeValue> values = new HashMap<>();
    if (change instanceof Change.Remove remove) {
      Delete.Builder delete = Delete.builder().tableName(table).key(key);
      if (remove.condition() != Condition.NONE) {
        delete
            .conditionExpression(expression(remove.condition(), values))
            .expressionAttributeValues(values)
            .returnValuesOnConditionCheckFailure(OLD);
      }
      return TransactWriteItem.builder().delete(delete.build()).build();
    }
    ConditionCheck check =
        ConditionCheck.builder()
            .tableName(table)
            .key(key)
            .conditionExpression(expression(change.condition(), values))
            .expressionAttributeValues(values.isEmpty() ? null : values)
            .returnValuesOnConditionCheckFailure(OLD)
            .build();
    return TransactWriteItem.builder().conditionCheck(check).build();
  }

  /** Where it lies when it was written. */
  Place placed(Change.Append append) {
    return append.place().then(stamp.unsafeArray());
  }

  private TransactWriteItem put(Place place, Condition condition, Stored value) {
    checkKey(place);
    Map<String, AttributeValue> item = Items.item(place, value);
    Put.Builder put = Put.builder().tableName(table);
    if (condition != Condition.NONE) {
      item.put(Items.WRITTEN, binary(stamp));
      Map<String, AttributeValue> values = new HashMap<>();
      put.conditionExpression(expression(condition, values))
          .expressionAttributeValues(values.isEmpty() ? null : values)
          .returnValuesOnConditionCheckFailure(OLD);
    }
    long size = Items.size(item);
    if (size > MOST_ITEM_BYTES) {
      throw new Rejected(
          "an item of %,d bytes: DynamoDB takes %,d with its key and names"
              .formatted(size, MOST_ITEM_BYTES));
    }
    bytes += size;
    return TransactWriteItem.builder().put(put.item(item).build()).build();
  }

  private static void checkKey(Place place) {
    int sort = place.bytes().length - place.partition() + 1;
    if (place.partition() > Items.MOST_PARTITION_BYTES || sort > Items.MOST_SORT_BYTES) {
      throw new Rejected(
          "a key of %,d and %,d bytes: DynamoDB takes %,d and %,d (the names and keys in it are too long)"
              .formatted(
                  place.partition(), sort, Items.MOST_PARTITION_BYTES, Items.MOST_SORT_BYTES));
    }
  }

  private String expression(Condition condition, Map<String, AttributeValue> values) {
    if (condition instanceof Condition.Absent) {
      return "attribute_not_exists(p)";
    }
    values.put(":t", binary(stamp));
    if (condition instanceof Condition.VersionIs is) {
      values.put(":v", number(is.version()));
      return "v = :v AND " + LOWER;
    }
    if (condition instanceof Condition.Below below) {
      values.put(":v", number(below.version()));
      return "attribute_not_exists(p) OR (v < :v AND " + LOWER + ")";
    }
    if (condition instanceof Condition.Same same) {
      values.put(":v", number(same.version()));
      if (same.body().size() == 0) {
        return "v = :v AND attribute_not_exists(b) AND " + LOWER;
      }
      values.put(":b", binary(same.body()));
      return "v = :v AND b = :b AND " + LOWER;
    }
    throw new IllegalArgumentException("a check without a condition");
  }

  /** The slot, with the marks of this write. */
  TransactWriteItem slot(Slots.Slot slot, List<Place> fed) {
    Map<String, AttributeValue> values = new HashMap<>();
    values.put(":e", number(slot.epoch()));
    values.put(":s", binary(stamp));
    String set = "SET l = :s";
    if (!fed.isEmpty()) {
      Bytes keys = FedKeys.encode(fed);
      values.put(":a", binary(keys));
      set += ", f = :s, a = :a";
      bytes += keys.size();
    }
    bytes += 100;
    Update update =
        Update.builder()
            .tableName(table)
            .key(slot.key())
            .updateExpression(set)
            .conditionExpression("v = :e AND c < :s AND l < :s")
            .expressionAttributeValues(values)
            .returnValuesOnConditionCheckFailure(OLD)
            .build();
    return TransactWriteItem.builder().update(update).build();
  }
}
