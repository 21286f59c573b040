/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.CommitResult.Conflict;
import io.wovyr.persistence.CommitResult.Reason;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.Permission;
import io.wovyr.persistence.PersistenceException.AccessDenied;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.audit.NewAuditRecord;
import io.wovyr.persistence.internal.Inputs;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.sealing.spi.SealingProvider.Binding;
import io.wovyr.persistence.sealing.spi.SealingProvider.KeyScope;
import io.wovyr.persistence.secret.SecretRecord;
import io.wovyr.persistence.secret.SecretRef;
import io.wovyr.persistence.secret.Secrets;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Scan;
import java.util.List;
import java.util.Optional;

/** Secrets of one tenant. Thread-safe. */
final class CoreSecrets implements Secrets {
  private static final String SUBJECT = "secret";

  /** In place of a text that no secret can have as its name. */
  private static final String NO_NAME = "(no name)";

  private static final int PAGE = 50;

  private final TenantAccess access;

  CoreSecrets(TenantAccess access) {
    this.access = access;
  }

  @Override
  public CommitResult put(String name, Payload value) {
    require("secret.put", name);
    Inputs.name("secret name", name, SecretRef.MAX_NAME);
    if (name.indexOf('@') >= 0) {
      throw new InvalidInput(
          "a secret name must not contain '@': the version follows it in a reference");
    }
    Deadline deadline = access.engine().commitDeadline();
    Backoff backoff = new Backoff(access.engine().settings());
    while (true) {
      int version =
          TenantAccess.after(
              access.highestNumber(Scan.byKey(RecordTypes.SECRET, List.of(name), 1)),
              "versions of secret " + name);
      RecordHeader header = TenantAccess.unsavedHeader();
      StoredPayload sealed = access.engine().sealer().seal(value, binding(header, name, version));
      CommitResult result =
          access
              .unit()
              .insertRecord(
                  new SecretRecord(header, name, version, Optional.of(sealed), Optional.empty()))
              .with(audited("secret.put", new SecretRef(name, version)))
              .commit();
      boolean taken = result instanceof Conflict conflict && conflict.has(Reason.ALREADY_EXISTS);
      if (!taken || access.engine().isJoining() || !access.engine().pause(backoff, deadline)) {
        return result;
      }
    }
  }

  private io.wovyr.persistence.Change audited(String action, SecretRef secret) {
    return new CoreAudit(access)
        .unchecked(NewAuditRecord.done(action, SUBJECT, secret.name() + "@" + secret.version()));
  }

  /** Refusals are audited in a commit of their own. */
  private void require(String action, String subject) {
    try {
      access.require(Permission.USE_SECRETS);
    } catch (AccessDenied e) {
      access
          .unit()
          .apart()
          .with(
              new CoreAudit(access)
                  .unchecked(NewAuditRecord.denied(action, SUBJECT, auditable(subject))))
          .commit();
      throw e;
    }
  }

  /** Whoever may do nothing is refused, and that is audited, whatever was asked for. */
  private static String auditable(String subject) {
    try {
      return Inputs.name("secret name", subject);
    } catch (InvalidInput e) {
      return NO_NAME;
    }
  }

  private Binding binding(RecordHeader header, String name, int version) {
    Key key = Key.of(RecordTypes.SECRET, name, version);
    return Bindings.of(access.scope().tenantId(), key, "value", header.id(), KeyScope.SECRET);
  }

  @Override
  public Optional<SecretRef> latest(String name) {
    access.require(Permission.LIST_SECRETS);
    // One that cannot be read may be the newest that is not revoked.
    return access
        .all(
            SecretRecord.class,
            Scan.byKey(RecordTypes.SECRET, List.of(Inputs.name("secret name", name)), PAGE)
                .descending())
        .filter(one -> one.value().isPresent())
        .findFirst()
        .map(SecretRecord::ref);
  }

  @Override
  public Page<SecretRef> list(int limit, Optional<String> after) {
    access.require(Permission.LIST_SECRETS);
    Pages.checkLimit(limit);
    Page<SecretRecord> page =
        access.page(
            SecretRecord.class, Scan.byKey(RecordTypes.SECRET, List.of(), limit).after(after));
    return new Page<>(page.items().stream().map(SecretRecord::ref).toList(), page.next());
  }

  @Override
  public Payload open(SecretRef secret) {
    require("secret.open", secret.name() + "@" + secret.version());
    SecretRecord stored = stored(secret);
    StoredPayload value =
        stored.value().orElseThrow(() -> new InvalidInput(secret + " was revoked"));
    Payload opened =
        access
            .engine()
            .sealer()
            .open(value, binding(stored.header(), stored.name(), stored.secretVersion()));
    access.unit().apart().with(audited("secret.open", secret)).commit().orThrow();
    return opened;
  }

  private SecretRecord stored(SecretRef secret) {
    return access
        .find(SecretRecord.class, secret.name(), secret.version())
        .orElseThrow(() -> new InvalidInput("there is no " + secret));
  }

  @Override
  public CommitResult revoke(SecretRef secret) {
    require("secret.revoke", secret.name() + "@" + secret.version());
    SecretRecord before = stored(secret);
    SecretRecord after =
        new SecretRecord(
            before.header(),
            before.name(),
            before.secretVersion(),
            Optional.empty(),
            before.revokedAt().or(() -> Optional.of(access.now())));
    return access
        .unit()
        .updateRecord(before, after)
        .with(audited("secret.revoke", secret))
        .commit();
  }
}
