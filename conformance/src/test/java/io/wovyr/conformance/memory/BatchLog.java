/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance.memory;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scope;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A batch as one line of text, and back: its checks are left out, since they held. */
final class BatchLog {
  private static final int NULL = 0;
  private static final int PLAIN = 1;
  private static final int PAYLOAD = 2;
  private static final int LIST = 3;

  private BatchLog() {}

  static String line(Batch batch) {
    List<Object> out = new ArrayList<>();
    out.add(batch.commitId());
    out.add(batch.scope().tenantId());
    for (Mutation mutation : batch.mutations()) {
      if (mutation instanceof Mutation.Insert insert) {
        out.add("insert");
        add(out, insert.after());
      } else if (mutation instanceof Mutation.Update update) {
        out.add("update");
        add(out, update.before());
        add(out, update.after());
      } else if (mutation instanceof Mutation.Delete delete) {
        out.add("delete");
        add(out, delete.before());
      }
    }
    return PageToken.encode(out);
  }

  static Batch batch(String line, long epoch) {
    Iterator<Object> in = PageToken.decode(line).iterator();
    UUID commitId = (UUID) in.next();
    String tenant = (String) in.next();
    Scope scope =
        tenant.equals(Scope.SYSTEM_TENANT) ? new Scope.System("log") : Scope.tenant(tenant);
    List<Mutation> mutations = new ArrayList<>();
    while (in.hasNext()) {
      String kind = (String) in.next();
      Row first = row(in, tenant);
      mutations.add(
          switch (kind) {
            case "insert" -> new Mutation.Insert(first);
            case "update" -> new Mutation.Update(first, row(in, tenant));
            default -> new Mutation.Delete(first);
          });
    }
    return new Batch(commitId, epoch, scope, Optional.empty(), mutations, List.of());
  }

  private static void add(List<Object> out, Row row) {
    out.add(row.type().name());
    out.addAll(row.key().values());
    RecordHeader header = row.header();
    out.addAll(
        List.of(
            header.id(),
            header.version(),
            header.createdAt(),
            header.updatedAt(),
            header.updatedBy(),
            header.schemaVersion(),
            header.entityVersion(),
            header.serializationVersion(),
            header.extra()));
    for (Object value : row.values()) {
      add(out, value);
    }
  }

  private static void add(List<Object> out, @Nullable Object value) {
    if (value == null) {
      out.add(NULL);
    } else if (value instanceof StoredPayload payload) {
      out.addAll(List.of(PAYLOAD, payload.encode()));
    } else if (value instanceof List<?> list) {
      out.addAll(List.of(LIST, list.size()));
      out.addAll(list);
    } else {
      out.addAll(List.of(PLAIN, value));
    }
  }

  private static Row row(Iterator<Object> in, String tenant) {
    RecordType type = RecordTypes.named((String) in.next()).orElseThrow();
    List<Object> key = new ArrayList<>();
    type.key().forEach(attribute -> key.add(in.next()));
    RecordHeader header =
        new RecordHeader(
            (UUID) in.next(),
            tenant,
            (Long) in.next(),
            (Instant) in.next(),
            (Instant) in.next(),
            (String) in.next(),
            (Integer) in.next(),
            (Integer) in.next(),
            (Integer) in.next(),
            (Bytes) in.next());
    List<@Nullable Object> values = new ArrayList<>();
    type.attributes().forEach(attribute -> values.add(value(in)));
    return new Row(new Key(type, key), header, values);
  }

  private static @Nullable Object value(Iterator<Object> in) {
    return switch ((Integer) in.next()) {
      case NULL -> null;
      case PAYLOAD -> StoredPayload.decode((Bytes) in.next());
      case LIST -> {
        List<Object> list = new ArrayList<>();
        for (int left = (Integer) in.next(); left > 0; left--) {
          list.add(in.next());
        }
        yield List.copyOf(list);
      }
      default -> in.next();
    };
  }
}
