/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.dynamodb;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * What a hosted table does and the server of the tests does not: transactions that conflict,
 * throttling, answers that are lost, reads that do not see the newest item unless they say that
 * they must, pages that are empty and go on.
 */
final class Weather implements ExecutionInterceptor {
  private final int percent;

  /**
   * @param percent of requests that go wrong, of each kind
   */
  Weather(int percent) {
    this.percent = percent;
  }

  private boolean happens() {
    return ThreadLocalRandom.current().nextInt(100) < percent;
  }

  static SdkClientException lost() {
    return SdkClientException.create("the answer is lost");
  }

  private static AwsErrorDetails details(String code) {
    return AwsErrorDetails.builder().errorCode(code).build();
  }

  static TransactionCanceledException conflict(int items) {
    return TransactionCanceledException.builder()
        .statusCode(400)
        .awsErrorDetails(details("TransactionCanceledException"))
        .cancellationReasons(
            Collections.nCopies(
                items, CancellationReason.builder().code("TransactionConflict").build()))
        .build();
  }

  static ProvisionedThroughputExceededException throttled() {
    return ProvisionedThroughputExceededException.builder()
        .statusCode(400)
        .awsErrorDetails(details("ProvisionedThroughputExceededException"))
        .build();
  }

  @Override
  public void beforeTransmission(
      Context.BeforeTransmission context, ExecutionAttributes attributes) {
    SdkRequest request = context.request();
    if (request instanceof BatchWriteItemRequest || request instanceof BatchGetItemRequest) {
      throw new AssertionError("C014: a batch may leave items out: " + request.getClass());
    }
    if (happens()) {
      throw throttled();
    }
    if (request instanceof TransactWriteItemsRequest write && happens()) {
      throw conflict(write.transactItems().size());
    }
    if (request instanceof TransactGetItemsRequest read && happens()) {
      throw conflict(read.transactItems().size());
    }
  }

  @Override
  public void afterTransmission(Context.AfterTransmission context, ExecutionAttributes attributes) {
    if (happens()) {
      throw lost();
    }
  }

  @Override
  public SdkResponse modifyResponse(
      Context.ModifyResponse context, ExecutionAttributes attributes) {
    SdkResponse response = context.response();
    if (context.request() instanceof GetItemRequest get
        && !Boolean.TRUE.equals(get.consistentRead())) {
      return GetItemResponse.builder().build();
    }
    if (context.request() instanceof QueryRequest query && response instanceof QueryResponse page) {
      if (!Boolean.TRUE.equals(query.consistentRead())) {
        List<Map<String, AttributeValue>> items = page.items();
        return page.toBuilder().items(items.subList(0, Math.max(0, items.size() - 1))).build();
      }
      return happens() ? empty(query, page) : page;
    }
    return response;
  }

  /** A page without items that goes on before the first of them, where there is such a place. */
  private static QueryResponse empty(QueryRequest query, QueryResponse page) {
    boolean ascending = !Boolean.FALSE.equals(query.scanIndexForward());
    Map<String, AttributeValue> values = query.expressionAttributeValues();
    AttributeValue edge = values.get(ascending ? ":from" : ":to");
    if (edge == null
        || page.items().isEmpty()
        || page.items().get(0).get(Items.SORT).equals(edge)) {
      return page;
    }
    Map<String, AttributeValue> key = new HashMap<>();
    key.put(Items.PARTITION, values.get(":p"));
    key.put(Items.SORT, edge);
    return page.toBuilder().items(List.of()).count(0).lastEvaluatedKey(key).build();
  }
}
