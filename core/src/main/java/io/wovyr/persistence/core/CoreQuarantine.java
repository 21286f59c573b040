/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.Page;
import io.wovyr.persistence.Permission;
import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.core.mapping.RecordMappers;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.quarantine.Quarantine;
import io.wovyr.persistence.quarantine.QuarantineReason;
import io.wovyr.persistence.quarantine.QuarantinedRecord;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Unreadable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Looks at the rows of one tenant, and tells those that are no records here. Thread-safe. */
final class CoreQuarantine implements Quarantine {
  private static final int PAGE = 500;
  private static final int MOST_LOOKED_AT = 10_000;
  private static final char SEPARATOR = ':';

  private final TenantAccess access;

  CoreQuarantine(TenantAccess access) {
    this.access = access;
  }

  @Override
  public List<String> types() {
    access.require(Permission.MAINTAIN);
    return RecordTypes.all().stream().map(RecordType::name).toList();
  }

  @Override
  public Page<QuarantinedRecord> list(Optional<String> type, int limit, Optional<String> after) {
    access.require(Permission.MAINTAIN);
    Pages.checkLimit(limit);
    List<RecordType> types = type.map(name -> List.of(named(name))).orElse(RecordTypes.all());
    return new Search(types, limit).from(after);
  }

  private static RecordType named(String name) {
    return RecordTypes.named(name)
        .orElseThrow(
            () ->
                new InvalidInput(
                    "there is no record type '%s'; there are %s"
                        .formatted(
                            name, RecordTypes.all().stream().map(RecordType::name).toList())));
  }

  @Override
  public Optional<QuarantinedRecord> find(String type, String key) {
    access.require(Permission.MAINTAIN);
    Key wanted = KeyText.parse(named(type), key);
    try {
      return access
          .engine()
          .reading(
              options -> access.engine().storage().read(access.scope(), List.of(wanted), options))
          .get(0)
          .flatMap(CoreQuarantine::unreadable);
    } catch (UnsupportedVersion | Corrupt e) {
      return Optional.of(
          new QuarantinedRecord(type, Optional.of(key), Optional.empty(), reason(e), text(e)));
    }
  }

  private static Optional<QuarantinedRecord> unreadable(Row row) {
    try {
      RecordMappers.of(row.type()).fromRow(row);
      return tornEnvelope(row);
    } catch (UnsupportedVersion | Corrupt e) {
      return Optional.of(entry(row, e, text(e)));
    }
  }

  /** A record that can be read, but one value of which nobody can open. */
  private static Optional<QuarantinedRecord> tornEnvelope(Row row) {
    for (int i = 0; i < row.values().size(); i++) {
      if (row.values().get(i) instanceof StoredPayload payload
          && payload.body() instanceof StoredPayload.Body.Unreadable unreadable) {
        String attribute = row.type().attributes().get(i).name();
        return Optional.of(
            entry(row, unreadable.problem(), attribute + ": " + text(unreadable.problem())));
      }
    }
    return Optional.empty();
  }

  private static QuarantinedRecord entry(Row row, PersistenceException failure, String text) {
    return new QuarantinedRecord(
        row.type().name(),
        Optional.of(KeyText.of(row.key())),
        isHeaderDamaged(row) ? Optional.empty() : Optional.of(row.header()),
        reason(failure),
        text);
  }

  private static boolean isHeaderDamaged(Row row) {
    return row.values().stream()
        .anyMatch(
            value ->
                value instanceof Unreadable unreadable && !row.type().has(unreadable.attribute()));
  }

  private static QuarantineReason reason(PersistenceException failure) {
    return failure instanceof UnsupportedVersion
        ? QuarantineReason.NEWER_VERSION
        : QuarantineReason.CORRUPT;
  }

  private static String text(PersistenceException failure) {
    return String.valueOf(failure.getMessage());
  }

  /** One page in the making. */
  private final class Search {
    private final List<RecordType> types;
    private final int limit;
    private final List<QuarantinedRecord> found = new ArrayList<>();
    private int at;
    private Optional<String> next = Optional.empty();
    private int lookedAt;

    Search(List<RecordType> types, int limit) {
      this.types = types;
      this.limit = limit;
    }

    Page<QuarantinedRecord> from(Optional<String> place) {
      place.ifPresent(this::goTo);
      while (at < types.size() && found.size() < limit && lookedAt < MOST_LOOKED_AT) {
        look(Math.min(PAGE, limit - found.size()));
      }
      return new Page<>(found, at < types.size() ? Optional.of(place()) : Optional.empty());
    }

    private String place() {
      return types.get(at).name() + SEPARATOR + next.orElse("");
    }

    private void goTo(String place) {
      int end = place.indexOf(SEPARATOR);
      at = end < 0 ? -1 : types.indexOf(named(place.substring(0, end)));
      if (at < 0) {
        throw new InvalidInput("this is no place of this listing: begin again without one");
      }
      next = Optional.of(place.substring(end + 1)).filter(token -> !token.isEmpty());
    }

    /** The next rows; one by one where one of them stops the store from reading them all. */
    private void look(int rows) {
      try {
        passed(page(rows));
      } catch (UnsupportedVersion | Corrupt e) {
        if (rows > 1) {
          lookOneByOne(rows);
        } else {
          giveUpOn(e);
        }
      }
    }

    private Page<Row> page(int rows) {
      Scan scan = Scan.byKey(types.get(at), List.of(), rows).after(next);
      return access.engine().scan(access.scope(), scan);
    }

    private void passed(Page<Row> page) {
      page.items().forEach(row -> unreadable(row).ifPresent(found::add));
      lookedAt += page.items().size();
      next = page.next();
      if (next.isEmpty()) {
        at++;
      }
    }

    private void lookOneByOne(int rows) {
      RecordType type = types.get(at);
      for (int i = 0; i < rows && at < types.size() && types.get(at) == type; i++) {
        look(1);
      }
    }

    private void giveUpOn(PersistenceException failure) {
      found.add(
          new QuarantinedRecord(
              types.get(at).name(),
              Optional.empty(),
              Optional.empty(),
              reason(failure),
              text(failure)));
      next = Optional.empty();
      at++;
    }
  }
}
