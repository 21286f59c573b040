/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.dynamodb;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.InternalServerErrorException;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.RequestLimitExceededException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;
import software.amazon.awssdk.services.dynamodb.model.TransactionInProgressException;

/** What an error of one request means. */
enum Failure {
  /** Nothing was done, and trying again makes sense. */
  AGAIN,
  /** Nobody knows whether it was done; trying the same again makes sense. */
  UNSURE,
  /** There is no such table. */
  NO_TABLE,
  /** Nothing was done, nor will be: rights, a request that is not valid. */
  REFUSED;

  /** Codes of errors, and of reasons of a cancelled transaction, that pass. */
  private static final Set<String> PASSING =
      Set.of(
          "None",
          "TransactionConflict",
          "ThrottlingError",
          "ThrottlingException",
          "ProvisionedThroughputExceeded",
          "RequestLimitExceeded");

  static Failure of(SdkException e) {
    if (e instanceof TransactionCanceledException cancelled) {
      return cancelled.hasCancellationReasons()
              && cancelled.cancellationReasons().stream().allMatch(Failure::passes)
          ? AGAIN
          : REFUSED;
    }
    if (e instanceof TransactionConflictException
        || e instanceof ProvisionedThroughputExceededException
        || e instanceof RequestLimitExceededException) {
      return AGAIN;
    }
    if (e instanceof TransactionInProgressException || e instanceof InternalServerErrorException) {
      return UNSURE;
    }
    if (e instanceof ResourceNotFoundException) {
      return NO_TABLE;
    }
    if (e instanceof DynamoDbException answered) {
      return ofAnswer(answered);
    }
    return wasSent(e) ? UNSURE : AGAIN;
  }

  static boolean passes(CancellationReason reason) {
    return PASSING.contains(reason.code());
  }

  private static Failure ofAnswer(DynamoDbException e) {
    String code = e.awsErrorDetails() == null ? "" : e.awsErrorDetails().errorCode();
    if (e.statusCode() == 429 || PASSING.contains(String.valueOf(code))) {
      return AGAIN;
    }
    return e.statusCode() >= 500 ? UNSURE : REFUSED;
  }

  private static boolean wasSent(@Nullable Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof ConnectException
          || cause instanceof NoRouteToHostException
          || cause instanceof UnknownHostException) {
        return false;
      }
    }
    return true;
  }
}
