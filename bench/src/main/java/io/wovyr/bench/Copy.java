/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Copies a row under other keys, in SQL that both stores take.
 *
 * @param columns those of the table without tenant, feed key and what the copy changes
 * @param key the column that names the row to copy
 * @param changed columns that are new in every copy, the key among them, and {@link Expressions}
 */
record Copy(String table, String key, String columns, Map<String, String> changed) {
  private static final String HEADER =
      "version, created_at, updated_at, updated_by, schema_version, entity_version,"
          + " serialization_version, extra, ";

  /**
   * An execution, its head without an owner and due some time. Its events stay behind: nobody loads
   * a copy.
   */
  static final List<Copy> EXECUTION =
      List.of(
          new Copy(
              "execution",
              "id",
              HEADER
                  + "status, paused_from, definition_name, definition_version, definition_digest,"
                  + " parent_id, search_attributes, input, outcome, closed_at, started_at",
              Map.of(
                  "id",
                  "{id}",
                  "record_id",
                  "{id}",
                  "workflow_id",
                  "{text}",
                  "live_workflow_id",
                  "{text}")),
          new Copy(
              "execution_head",
              "execution_id",
              HEADER
                  + "last_sequence, low_water_mark, closed, fencing_token, renewals,"
                  + " acquisitions_without_progress, paused, parked, last_checkpoint_id",
              Map.of("execution_id", "{id}", "record_id", "{id}", "due_at", "{due}")));

  /** A schedule that fires some time. */
  static final List<Copy> SCHEDULE =
      List.of(
          new Copy(
              "schedule",
              "name",
              HEADER
                  + "kind, expression, zone, anchor, definition_name, definition_version,"
                  + " definition_digest, misfire, misfire_after, not_before, not_after, paused,"
                  + " last_fire_at, fires, input",
              Map.of("name", "{text}", "record_id", "{id}", "next_fire_at", "{due}")));

  /**
   * What the store's SQL says for it.
   *
   * @param from a table of new ids and its alias
   * @param id the new id
   * @param text a text that no other row has
   * @param due an instant of the last hour or of the next one
   */
  record Expressions(String from, String id, String text, String due) {}

  /**
   * The statement.
   *
   * @param original the key of the row to copy, as SQL
   */
  String insert(String original, Expressions say) {
    Map<String, String> values = new LinkedHashMap<>(Map.of("tenant_id", "t.tenant_id"));
    changed.forEach(
        (name, value) ->
            values.put(
                name,
                value
                    .replace("{id}", say.id())
                    .replace("{text}", say.text())
                    .replace("{due}", say.due())));
    for (String column : columns.split(", ")) {
      values.put(column, "t." + column);
    }
    return "INSERT INTO %s (%s) SELECT %s FROM %s t CROSS JOIN %s WHERE t.tenant_id = '%s' AND t.%s = %s"
        .formatted(
            table,
            String.join(", ", values.keySet()),
            String.join(", ", values.values()),
            table,
            say.from(),
            Step.TENANT,
            key,
            original);
  }
}
