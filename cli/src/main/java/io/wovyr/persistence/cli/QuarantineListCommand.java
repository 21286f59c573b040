/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.quarantine.QuarantinedRecord;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists what cannot be read here. */
@Command(
    name = "list",
    description = {
      "Lists the tenant's records that this version cannot read: written by a newer one, or",
      "damaged. Looks at every record."
    })
final class QuarantineListCommand extends ListCommand<QuarantinedRecord> {
  @Option(
      names = "--type",
      paramLabel = "TYPE",
      description = "Only of this record type, such as execution or workflow_event.")
  private @Nullable String type;

  @Override
  Role role() {
    return Role.OPERATOR;
  }

  @Override
  Source<QuarantinedRecord> source(Repositories repositories) {
    return (limit, after) ->
        repositories.quarantine().list(Optional.ofNullable(type), limit, after);
  }

  @Override
  String command() {
    return "quarantine list" + (type == null ? "" : " --type " + ShellWord.of(type));
  }

  @Override
  String member() {
    return "records";
  }

  @Override
  JsonObject item(QuarantinedRecord found) {
    return json(found);
  }

  static JsonObject json(QuarantinedRecord found) {
    Optional<RecordHeader> header = found.header();
    return new JsonObject()
        .put("type", found.type())
        .put("key", found.key())
        .put("reason", found.reason())
        .put("detail", found.detail())
        .put("id", header.map(RecordHeader::id))
        .put("version", header.map(RecordHeader::version))
        .put("schemaVersion", header.map(RecordHeader::schemaVersion))
        .put("entityVersion", header.map(RecordHeader::entityVersion))
        .put("serializationVersion", header.map(RecordHeader::serializationVersion))
        .put("updatedAt", header.map(RecordHeader::updatedAt))
        .put("updatedBy", header.map(RecordHeader::updatedBy));
  }

  @Override
  Table table() {
    return new Table("TYPE", "KEY", "REASON", "VERSIONS", "CHANGED (UTC)", "BY");
  }

  @Override
  void row(Table table, QuarantinedRecord found) {
    Optional<RecordHeader> header = found.header();
    table.row(
        found.type(),
        found.key().orElse("(unknown)"),
        found.reason(),
        header.map(QuarantineListCommand::versions).orElse(Human.NOTHING),
        Human.time(header.map(RecordHeader::updatedAt)),
        header.map(RecordHeader::updatedBy).orElse(Human.NOTHING));
  }

  /** Of schema, entity and serialization. */
  static String versions(RecordHeader header) {
    return "%d/%d/%d"
        .formatted(header.schemaVersion(), header.entityVersion(), header.serializationVersion());
  }

  @Override
  String nothing() {
    return "every record%s of tenant '%s' in %s can be read"
        .formatted(type == null ? "" : " of type " + type, tenant(), storeName());
  }
}
