/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.quarantine.QuarantineReason;
import io.wovyr.persistence.quarantine.QuarantinedRecord;
import java.io.PrintStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Tells why one record cannot be read here. */
@Command(name = "show", description = "Tells why one record cannot be read, and what helps.")
final class QuarantineShowCommand extends StoreCommand {
  @Parameters(index = "0", paramLabel = "TYPE", description = "Its record type.")
  private String type = "";

  @Parameters(index = "1", paramLabel = "KEY", description = "Its key, as the list shows it.")
  private String key = "";

  @Override
  ExitCode run() {
    try (Persistence persistence = open()) {
      QuarantinedRecord found =
          RoleCaller.as(Role.OPERATOR, persistence, tenant())
              .quarantine()
              .find(type, key)
              .orElseThrow(this::notFound);
      return answer(new View(found));
    }
  }

  private CommandFailure notFound() {
    return new CommandFailure(
        ExitCode.NOT_FOUND,
        "the record %s %s is not there, or it can be read: see %s"
            .formatted(type, key, again("quarantine list")));
  }

  private record View(QuarantinedRecord found) implements Answer {
    @Override
    public void text(PrintStream out) {
      Fields fields = new Fields();
      fields
          .add("type", found.type())
          .add("key", found.key().orElse(Human.NOTHING))
          .add("reason", found.reason())
          .add("detail", found.detail());
      found.header().ifPresent(header -> header(header, fields));
      fields.print(out);
      out.println(
          found.reason() == QuarantineReason.NEWER_VERSION
              ? "what helps: the version of wovyr that wrote it, or a newer one"
              : "what helps: copy the store as it is, then take the record from a backup");
    }

    private static void header(RecordHeader header, Fields fields) {
      fields
          .add("id", header.id())
          .add("version", header.version())
          .add("schema version", header.schemaVersion())
          .add("entity version", header.entityVersion())
          .add("serialization", header.serializationVersion())
          .add("changed", Human.time(header.updatedAt()) + " UTC by " + header.updatedBy());
    }

    @Override
    public JsonObject json() {
      return QuarantineListCommand.json(found);
    }
  }
}
