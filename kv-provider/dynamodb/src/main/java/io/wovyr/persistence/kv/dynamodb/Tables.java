/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.dynamodb;

import io.wovyr.persistence.PersistenceException.Unavailable;
import java.util.List;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

/** Opens clients. Trying again is {@link Table}'s and {@link Writing}'s, and nobody else's. */
final class Tables {
  private Tables() {}

  /**
   * @param interceptors see and may change every request, for tests
   * @throws Unavailable when there are no credentials, or no region
   */
  static Table open(DynamoDbSettings settings, List<ExecutionInterceptor> interceptors) {
    DynamoDbClientBuilder builder =
        DynamoDbClient.builder()
            .credentialsProvider(credentials(settings))
            .region(region(settings))
            .httpClientBuilder(Apache5HttpClient.builder().maxConnections(settings.connections()))
            .overrideConfiguration(
                configuration ->
                    configuration
                        .retryStrategy(AwsRetryStrategy.doNotRetry())
                        .executionInterceptors(interceptors));
    settings.endpoint().ifPresent(builder::endpointOverride);
    return new Table(builder.build(), settings.table());
  }

  private static AwsCredentialsProvider credentials(DynamoDbSettings settings) {
    if (settings.credentials().isPresent()) {
      DynamoDbSettings.Credentials given = settings.credentials().get();
      return StaticCredentialsProvider.create(
          AwsBasicCredentials.create(given.accessKeyId(), given.secretAccessKey()));
    }
    DefaultCredentialsProvider found = DefaultCredentialsProvider.builder().build();
    try {
      found.resolveCredentials();
      return found;
    } catch (SdkClientException e) {
      found.close();
      throw Unavailable.lasting(
          "the AWS SDK finds no credentials for the DynamoDB table "
              + settings.table()
              + ": give this machine a role, or set wovyr.storage.access-key-id and"
              + " wovyr.storage.secret-access-key",
          e);
    }
  }

  private static Region region(DynamoDbSettings settings) {
    if (settings.region().isPresent()) {
      return Region.of(settings.region().get());
    }
    if (settings.isLocal()) {
      return Region.US_EAST_1;
    }
    try {
      return DefaultAwsRegionProviderChain.builder().build().getRegion();
    } catch (SdkClientException e) {
      throw Unavailable.lasting(
          "the AWS SDK finds no region for the DynamoDB table "
              + settings.table()
              + ": set wovyr.storage.region",
          e);
    }
  }
}
