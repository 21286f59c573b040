/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.dynamodb;

import io.wovyr.persistence.settings.spi.Setting;
import java.util.List;

/** What {@link DynamoDbSettings} reads, for the reference page. */
final class DynamoDbDeclaredSettings {
  private static final String WHERE = "stores in DynamoDB ([more](stores/dynamodb.md))";

  private DynamoDbDeclaredSettings() {}

  private static Setting setting(String name, String standard, String kind, String meaning) {
    return new Setting("wovyr.storage." + name, standard, kind, meaning, WHERE);
  }

  static List<Setting> all() {
    return List.of(
        setting(
            DynamoDbSettings.TABLE,
            DynamoDbSettings.DEFAULT_TABLE,
            "name of a table",
            "the table of the store, which nothing else may be in; the same on all nodes"),
        setting(
            DynamoDbSettings.REGION,
            "as the AWS SDK finds it",
            "name, such as `eu-central-1`",
            "the region of the table; the same on all nodes"),
        setting(
            DynamoDbSettings.ENDPOINT,
            "that of the region",
            "address, `https`",
            "another endpoint; `http` is taken for this machine only"),
        setting(
            DynamoDbSettings.ACCESS_KEY_ID,
            "as the AWS SDK finds it",
            "text",
            "an access key, together with its secret; better leave both to the role of the machine"),
        setting(
            DynamoDbSettings.SECRET_ACCESS_KEY, "as the AWS SDK finds it", "secret", "its secret"),
        setting(
            DynamoDbSettings.SHARDS,
            "16",
            "number, 1 to 64",
            "over how many partitions the records of a type are spread; counts when the store is"
                + " made, and is fixed then"),
        setting(
            DynamoDbSettings.CONNECTIONS,
            "64",
            "number, 1 to 1000",
            "most connections of one handle; one per call at the same time is enough"),
        setting(
            DynamoDbSettings.POINT_IN_TIME_RECOVERY,
            "false",
            "true or false",
            "whether `migrate up` switches point-in-time recovery on for a table that it makes"));
  }
}
