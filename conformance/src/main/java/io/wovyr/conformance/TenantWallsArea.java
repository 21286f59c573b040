/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.storage.spi.AccessPath;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.CommitOutcome.Conflict;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordType;
import io.wovyr.persistence.storage.spi.RecordType.Mutability;
import io.wovyr.persistence.storage.spi.RecordType.Removal;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import io.wovyr.persistence.storage.spi.Scan;
import io.wovyr.persistence.storage.spi.Scope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A tenant reads, changes and learns nothing of another, for every record type there is. */
abstract class TenantWallsArea extends Area {
  TenantWallsArea(StorageContract contract) {
    super(contract);
  }

  /** The same record as another tenant has it, made this tenant's. */
  private static Row claimedBy(KitTenant tenant, Row row) {
    return row.with(SampleRows.header(tenant.id()));
  }

  private static List<RecordType> mutableTypes() {
    return RecordTypes.all().stream()
        .filter(type -> type.mutability() == Mutability.MUTABLE)
        .toList();
  }

  private Row sample(KitTenant tenant, RecordType type) {
    return tenant.insert(SampleRows.full(tenant.id(), SampleRows.key(type)));
  }

  /** A conflict that shows no row at all: there is none of this tenant to show. */
  private static void assertReveals(Conflict conflict, String nothing) {
    conflict.failed().forEach(failed -> assertEquals(Optional.empty(), failed.actual(), nothing));
  }

  @Test
  @DisplayName("C069: a record is not found by key from another tenant")
  void c069ARecordIsNotFoundByKeyFromAnotherTenant() {
    KitTenant one = tenant("one");
    KitTenant other = tenant("other");
    for (RecordType type : RecordTypes.all()) {
      Row theirs = sample(one, type);
      Row own = sample(other, type);
      assertEquals(Optional.of(theirs), one.read(theirs.key()));

      assertEquals(
          List.of(Optional.empty(), Optional.of(own), Optional.empty()),
          storage()
              .read(
                  other.scope(),
                  List.of(theirs.key(), own.key(), theirs.key()),
                  KitTenant.strong()),
          "read of " + type);
    }
  }

  @Test
  void aRecordIsNotFoundByAnythingUniqueFromAnotherTenant() {
    KitTenant one = tenant("one");
    KitTenant other = tenant("other");
    for (RecordType type : RecordTypes.all()) {
      Row theirs = sample(one, type);
      for (RecordType.UniqueKey unique : type.uniqueKeys()) {
        List<Object> values =
            unique.attributes().stream()
                .map(name -> Objects.requireNonNull(theirs.get(name)))
                .toList();
        assertEquals(
            Optional.of(theirs),
            storage().readUnique(one.scope(), type, unique.name(), values, KitTenant.strong()));
        assertEquals(
            Optional.empty(),
            storage().readUnique(other.scope(), type, unique.name(), values, KitTenant.strong()),
            unique.name() + " of " + type);
      }
    }
  }

  @Test
  void scansSeeTheirOwnTenantOnly() {
    KitTenant one = tenant("one");
    KitTenant other = tenant("other");
    for (RecordType type : RecordTypes.all()) {
      Row theirs = sample(one, type);
      Row own = other.insert(claimedBy(other, theirs));
      for (Scan scan : scansThatFind(theirs)) {
        assertEquals(List.of(theirs), one.all(scan), "scan of " + type);
        assertEquals(List.of(own), other.all(scan), "scan of " + type + " by the other");
      }
    }
  }

  private static List<Scan> scansThatFind(Row row) {
    RecordType type = row.type();
    List<Scan> scans = new ArrayList<>();
    scans.add(Scan.byKey(type, List.of(), 10));
    scans.add(Scan.byKey(type, row.key().values(), 10));
    for (AccessPath path : type.paths()) {
      if (path.reach() == AccessPath.Reach.TENANT) {
        List<Object> equal = SampleRows.equality(path, row);
        scans.add(Scan.byPath(type, path.name(), equal, 10));
        scans.add(Scan.byPath(type, path.name(), equal, 10).descending());
      }
    }
    return scans;
  }

  @Test
  @DisplayName("C070: an update or delete of another tenant's record finds nothing")
  void c070AnUpdateOrDeleteOfAnotherTenantsRecordFindsNothing() {
    KitTenant one = tenant("one");
    KitTenant other = tenant("other");
    for (RecordType type : mutableTypes()) {
      Row theirs = sample(one, type);
      Row forged = claimedBy(other, theirs);

      assertReveals(
          other.conflict(new Mutation.Update(forged, SampleRows.next(forged))),
          "update of another tenant's " + type);
      if (type.removal() == Removal.BY_BATCH) {
        assertReveals(
            other.conflict(new Mutation.Delete(forged)), "delete of another tenant's " + type);
      }
      assertReveals(
          other.conflict(other.batch(List.of(), List.of(new Batch.VersionIs(theirs.key(), 1)))),
          "check of another tenant's " + type);
      assertEquals(theirs, one.stored(theirs.key()));
      assertEquals(Optional.empty(), other.read(theirs.key()));
    }
  }

  @Test
  void theSameKeyAndUniqueEntriesAreFreeInEveryTenant() {
    KitTenant one = tenant("one");
    KitTenant other = tenant("other");
    for (RecordType type : RecordTypes.all()) {
      Row theirs = sample(one, type);
      Row own = other.insert(claimedBy(other, theirs));

      assertEquals(theirs, one.stored(theirs.key()));
      assertEquals(own, other.stored(own.key()));
      if (type.mutability() == Mutability.MUTABLE) {
        Row changed = other.update(own, SampleRows.next(own));
        assertEquals(theirs, one.stored(theirs.key()));
        if (type.removal() == Removal.BY_BATCH) {
          other.committed(new Mutation.Delete(changed));
          assertEquals(theirs, one.stored(theirs.key()));
        }
      }
    }
  }

  @Test
  void aConflictShowsRowsOfItsOwnTenantOnly() {
    KitTenant one = tenant("one");
    KitTenant other = tenant("other");
    for (RecordType type : RecordTypes.all()) {
      Row theirs = sample(one, type);
      Row own = other.insert(claimedBy(other, theirs));

      Conflict conflict = other.conflict(new Mutation.Insert(own));

      conflict
          .failed()
          .forEach(
              failed ->
                  failed.actual().ifPresent(actual -> assertEquals(own, actual, type.name())));
    }
  }

  @Test
  @DisplayName("C073: whatever failed for one tenant before, the next one sees its own rows")
  void c073AFailureOfOneTenantLeaksNothingIntoTheNext() {
    KitTenant one = tenant("one");
    KitTenant other = tenant("other");
    Row theirs = one.insert(one.head(UUID.randomUUID()));
    Row own = other.insert(other.head(UUID.randomUUID()));
    Scan heads = Scan.byKey(RecordTypes.HEAD, List.of(), 10);
    List<Runnable> failures =
        List.of(
            () -> one.conflict(new Mutation.Insert(theirs)),
            () ->
                assertThrows(
                    Unavailable.class,
                    () -> storage().commit(ofAnotherEpoch(one), KitTenant.deadline())),
            () -> one.read(theirs.key()),
            () -> one.feed(Optional.empty(), 1));
    for (Runnable failure : failures) {
      failure.run();
      assertEquals(List.of(own), other.all(heads));
      assertEquals(Optional.empty(), other.read(theirs.key()));
    }
  }

  private Batch ofAnotherEpoch(KitTenant tenant) {
    return new Batch(
        UUID.randomUUID(),
        storage().identity().epoch() + 1,
        tenant.scope(),
        Optional.empty(),
        List.of(new Mutation.Insert(tenant.head(UUID.randomUUID()))),
        List.of());
  }

  @Test
  @DisplayName("C071: tenants whose names contain or resemble each other are apart")
  void c071TenantsWhoseNamesResembleEachOtherAreApart() {
    List<String> names =
        Arrays.asList(
            "nord",
            "/nord",
            "nord/",
            "NORD",
            "nord2",
            "nord/checkpoints",
            "checkpoints",
            "..",
            "a%2Fb",
            "a/b",
            "a b",
            " nord",
            "nord ",
            "nor%",
            "nor_",
            "n\u00f6rd",
            "no\u0308rd",
            "\ud83d\ude80",
            "nord\\",
            "nord'--",
            "\"nord\"",
            "nord:2",
            "nord#",
            "nord,2",
            "system",
            "null");
    List<KitTenant> tenants = new ArrayList<>(names.stream().map(this::named).toList());
    tenants.add(named("n".repeat(100 - namePrefix().length())));
    UUID execution = UUID.randomUUID();
    for (KitTenant tenant : tenants) {
      Row head = tenant.insert(tenant.head(execution));
      tenant.committed(tenant.step(head));
    }
    KitTenant nord = tenants.get(0);
    PurgeArea.purge(nord, nord.stored(Key.of(RecordTypes.HEAD, execution)), 1, 2);

    for (KitTenant tenant : tenants.subList(1, tenants.size())) {
      assertEquals(1, tenant.events(execution).size(), "events of '" + tenant.id() + "'");
      assertEquals(1, tenant.follow(Optional.empty(), 1).size());
      assertEquals(
          tenant.id(), tenant.stored(Key.of(RecordTypes.HEAD, execution)).header().tenantId());
    }
    assertEquals(List.of(), nord.events(execution));
  }

  /** The name as it is where the store is this run's alone. */
  private KitTenant named(String name) {
    return of(Scope.tenant(namePrefix() + name));
  }

  private String namePrefix() {
    return subject().tenantPrefix();
  }

  @Test
  void theSystemsOwnRowsAreATenantOfTheirOwn() {
    KitTenant system = of(new Scope.System("conformance"));
    KitTenant tenant = tenant();
    for (RecordType type : RecordTypes.all()) {
      Row own = sample(system, type);
      Row theirs = sample(tenant, type);

      assertEquals(own, system.stored(own.key()));
      assertEquals(Optional.empty(), system.read(theirs.key()));
      assertEquals(Optional.empty(), tenant.read(own.key()));
      assertFalse(tenant.all(Scan.byKey(type, List.of(), 50)).contains(own));
      assertFalse(system.all(Scan.byKey(type, List.of(), 50)).contains(theirs));
    }
  }

  @Test
  void aPurgeTouchesItsOwnTenantOnly() {
    KitTenant one = tenant("one");
    KitTenant other = tenant("other");
    UUID execution = UUID.randomUUID();
    for (KitTenant tenant : List.of(one, other)) {
      Row head = tenant.insert(tenant.head(execution));
      tenant.committed(tenant.step(head));
    }

    PurgeArea.purge(other, other.stored(Key.of(RecordTypes.HEAD, execution)), 1, 2);

    assertEquals(1, one.events(execution).size());
    assertEquals(List.of(), other.events(execution));
  }
}
