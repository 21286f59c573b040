/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Copies rows of an execution under other ids, in SQL that both stores take.
 *
 * @param columns those of the table without tenant, feed key and what the copy changes
 * @param key the column of the execution's id
 */
record Copy(String table, String key, String columns, Map<String, String> changed) {
  private static final String HEADER =
      "version, created_at, updated_at, updated_by, schema_version, entity_version,"
          + " serialization_version, extra, ";

  /** An execution, its head without an owner. Its events stay behind: nobody loads a copy. */
  static final List<Copy> ALL =
      List.of(
          new Copy(
              "execution",
              "id",
              HEADER
                  + "status, paused_from, definition_name, definition_version, definition_digest,"
                  + " parent_id, search_attributes, input, outcome, closed_at, started_at",
              Map.of("record_id", "{id}", "workflow_id", "{text}", "live_workflow_id", "{text}")),
          new Copy(
              "execution_head",
              "execution_id",
              HEADER
                  + "last_sequence, low_water_mark, closed, fencing_token, renewals,"
                  + " acquisitions_without_progress, paused, parked, due_at, last_checkpoint_id",
              Map.of("record_id", "{id}")));

  /**
   * The statement.
   *
   * @param from a table of new ids and its alias
   * @param id expression of a new id
   * @param original expression of the id of the execution to copy
   * @param text expression of a text that no other execution has
   */
  String insert(String from, String id, String original, String text) {
    List<String> names = new ArrayList<>(List.of("tenant_id", key));
    List<String> values = new ArrayList<>(List.of("t.tenant_id", id));
    changed.forEach(
        (name, value) -> {
          names.add(name);
          values.add(value.replace("{id}", id).replace("{text}", text));
        });
    for (String column : columns.split(", ")) {
      names.add(column);
      values.add("t." + column);
    }
    return "INSERT INTO %s (%s) SELECT %s FROM %s t CROSS JOIN %s WHERE t.tenant_id = 'bench' AND t.%s = %s"
        .formatted(
            table, String.join(", ", names), String.join(", ", values), table, from, key, original);
  }
}
