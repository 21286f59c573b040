/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.dynamodb;

import io.wovyr.persistence.PersistenceException.StorageFailure;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.storage.spi.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.ItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItem;

/**
 * One table: requests with a deadline each, tried again as long as there is time. Every read is
 * strongly consistent. Thread-safe.
 */
final class Table implements AutoCloseable {
  /** What one request reads at most in a transaction. */
  static final int MOST_KEYS = 100;

  /** Longest wait for one answer; the deadline of a call leaves room for another try. */
  private static final Duration LONGEST_ANSWER = Duration.ofSeconds(5);

  private final DynamoDbClient client;
  private final String name;

  Table(DynamoDbClient client, String name) {
    this.client = client;
    this.name = name;
  }

  DynamoDbClient client() {
    return client;
  }

  String name() {
    return name;
  }

  /** What bounds one request. */
  static AwsRequestOverrideConfiguration within(Deadline deadline) {
    long left = deadline.atMost(LONGEST_ANSWER).remaining().toMillis();
    Duration timeout = Duration.ofMillis(Math.max(1, left));
    return AwsRequestOverrideConfiguration.builder()
        .apiCallTimeout(timeout)
        .apiCallAttemptTimeout(timeout)
        .build();
  }

  /**
   * Sends what may be sent any number of times.
   *
   * @throws ConditionalCheckFailedException as it came
   * @throws Unavailable when there was no answer in time, or one that will not change
   */
  <T> T send(Deadline deadline, Function<AwsRequestOverrideConfiguration, T> request) {
    Backoff backoff = new Backoff(deadline);
    if (deadline.isOver()) {
      throw new Unavailable("the deadline is over; nothing was read", null);
    }
    while (true) {
      try {
        return request.apply(within(deadline));
      } catch (ConditionalCheckFailedException e) {
        throw e;
      } catch (SdkException e) {
        Failure failure = Failure.of(e);
        if (failure == Failure.NO_TABLE || failure == Failure.REFUSED || !backoff.await()) {
          throw failed(failure, e);
        }
      }
    }
  }

  /** What a failure that nothing came of looks like to a caller. */
  StorageFailure failed(Failure failure, SdkException e) {
    return switch (failure) {
      case NO_TABLE -> absent(e);
      case REFUSED ->
          Unavailable.lasting(
              "the DynamoDB table %s refuses a request (%s): check its name, the region, and the"
                      .formatted(name, code(e))
                  + " rights of this user",
              e);
      case AGAIN, UNSURE ->
          new Unavailable(
              "the DynamoDB table %s did not answer in time (%s)".formatted(name, code(e)), e);
    };
  }

  Unavailable absent(SdkException e) {
    return Unavailable.lasting(
        "there is no DynamoDB table "
            + name
            + ": check its name and the region, or make it with 'wovyr migrate up --provider"
            + " dynamodb'",
        e);
  }

  static String code(SdkException e) {
    return e instanceof DynamoDbException answered && answered.awsErrorDetails() != null
        ? String.valueOf(answered.awsErrorDetails().errorCode())
        : e.getClass().getSimpleName();
  }

  /** One item. */
  Optional<Map<String, AttributeValue>> get(Map<String, AttributeValue> key, Deadline deadline) {
    var answer =
        send(
            deadline,
            bounds ->
                client.getItem(
                    get ->
                        get.tableName(name)
                            .key(key)
                            .consistentRead(true)
                            .overrideConfiguration(bounds)));
    return answer.hasItem() ? Optional.of(answer.item()) : Optional.empty();
  }

  /**
   * Several items at one instant, at most {@link #MOST_KEYS}, no key twice; those that are too
   * large for one answer in several.
   */
  List<Optional<Map<String, AttributeValue>>> getTogether(
      List<Map<String, AttributeValue>> keys, Deadline deadline) {
    if (keys.size() == 1) {
      return List.of(get(keys.get(0), deadline));
    }
    try {
      return transactGet(keys, deadline);
    } catch (Unavailable e) {
      if (!isTooLarge(e)) {
        throw e;
      }
      int half = keys.size() / 2;
      List<Optional<Map<String, AttributeValue>>> all =
          new ArrayList<>(getTogether(keys.subList(0, half), deadline));
      all.addAll(getTogether(keys.subList(half, keys.size()), deadline));
      return all;
    }
  }

  private static boolean isTooLarge(Unavailable e) {
    return e.getCause() instanceof DynamoDbException answered
        && (code(answered).equals("ValidationException")
            || code(answered).equals("TransactionCanceledException"));
  }

  private List<Optional<Map<String, AttributeValue>>> transactGet(
      List<Map<String, AttributeValue>> keys, Deadline deadline) {
    List<TransactGetItem> gets =
        keys.stream()
            .map(key -> TransactGetItem.builder().get(get -> get.tableName(name).key(key)).build())
            .toList();
    return send(
            deadline,
            bounds ->
                client.transactGetItems(
                    get -> get.transactItems(gets).overrideConfiguration(bounds)))
        .responses()
        .stream()
        .map(Table::found)
        .toList();
  }

  /**
   * Waits until no transaction is half visible in any of these items. Reads in a transaction of
   * their own are refused until then.
   */
  void awaitWhole(List<Map<String, AttributeValue>> keys, Deadline deadline) {
    for (Map<String, AttributeValue> key : keys) {
      TransactGetItem get =
          TransactGetItem.builder()
              .get(one -> one.tableName(name).key(key).projectionExpression(Items.PARTITION))
              .build();
      send(
          deadline,
          bounds ->
              client.transactGetItems(
                  request -> request.transactItems(get).overrideConfiguration(bounds)));
    }
  }

  private static Optional<Map<String, AttributeValue>> found(ItemResponse response) {
    return response.hasItem() && !response.item().isEmpty()
        ? Optional.of(response.item())
        : Optional.empty();
  }

  /** One page of a range; consistent, whatever the request says. */
  QueryResponse query(QueryRequest request, Deadline deadline) {
    return send(
        deadline,
        bounds ->
            client.query(
                request.toBuilder()
                    .tableName(name)
                    .consistentRead(true)
                    .overrideConfiguration(bounds)
                    .build()));
  }

  @Override
  public void close() {
    client.close();
  }
}
