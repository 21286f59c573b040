/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.CommitResult.Committed;
import io.wovyr.persistence.CommitResult.Conflict;
import io.wovyr.persistence.CommitResult.Reason;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.Permission;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.IllegalTransition;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.core.payload.Sha256;
import io.wovyr.persistence.definition.DefinitionPolicies;
import io.wovyr.persistence.definition.DefinitionStatus;
import io.wovyr.persistence.definition.Definitions;
import io.wovyr.persistence.definition.EffectivePolicy;
import io.wovyr.persistence.definition.NewDefinition;
import io.wovyr.persistence.definition.WorkflowDefinition;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.internal.Inputs;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.storage.spi.Deadline;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Scan;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Definitions of one tenant. Thread-safe. */
final class CoreDefinitions implements Definitions {
  private static final String CHECKSUM_PREFIX = "sha-256:";
  private static final int PAGE = 50;

  private final TenantAccess access;

  CoreDefinitions(TenantAccess access) {
    this.access = access;
  }

  @Override
  public CommitResult add(NewDefinition definition) {
    access.require(Permission.MANAGE_DEFINITIONS);
    String checksum = checksum(definition.body());
    definition
        .checksum()
        .filter(given -> !given.toLowerCase(Locale.ROOT).equals(checksum))
        .ifPresent(
            given -> {
              throw new InvalidInput(
                  "the body of definition %s has the checksum %s, not %s"
                      .formatted(definition.name(), checksum, given));
            });
    if (definition.version().isPresent()) {
      return add(definition, definition.version().get(), checksum);
    }
    Deadline deadline = access.engine().commitDeadline();
    Backoff backoff = new Backoff(access.engine().settings());
    while (true) {
      int free =
          TenantAccess.after(
              newest(definition.name()), "versions of definition " + definition.name());
      CommitResult result = insert(draft(definition, free, checksum));
      boolean taken = result instanceof Conflict conflict && conflict.has(Reason.ALREADY_EXISTS);
      if (!taken || access.engine().isJoining() || !access.engine().pause(backoff, deadline)) {
        return result;
      }
    }
  }

  private CommitResult add(NewDefinition definition, int version, String checksum) {
    CommitResult result = insert(draft(definition, version, checksum));
    if (result instanceof Conflict conflict && conflict.has(Reason.ALREADY_EXISTS)) {
      Optional<WorkflowDefinition> same =
          stored(definition.name(), version)
              .filter(found -> found.checksum().equals(checksum))
              .filter(
                  found ->
                      found
                          .body()
                          .map(body -> body.contentType().equals(definition.body().contentType()))
                          .orElse(false));
      if (same.isPresent()) {
        return new Committed(same.get().header().id(), List.of(same.get()));
      }
    }
    return result;
  }

  private CommitResult insert(WorkflowDefinition definition) {
    return access.unit().insertRecord(definition).commit();
  }

  private WorkflowDefinition draft(NewDefinition definition, int version, String checksum) {
    RecordHeader header = TenantAccess.unsavedHeader();
    return new WorkflowDefinition(
        header,
        definition.name(),
        version,
        definition.status(),
        checksum,
        Optional.of(sealed(header, definition.name(), version, definition.body())),
        1,
        definition.policies().entries(),
        Optional.empty());
  }

  private StoredPayload sealed(RecordHeader header, String name, int version, Payload body) {
    return access.seal(key(name, version), header, "body", body);
  }

  private static Key key(String name, int version) {
    return Key.of(RecordTypes.DEFINITION, name, version);
  }

  private static String checksum(Payload body) {
    byte[] digest = Sha256.newDigest().digest(body.content().unsafeArray());
    return CHECKSUM_PREFIX + HexFormat.of().formatHex(digest);
  }

  @Override
  public Optional<WorkflowDefinition> find(String name, int version) {
    access.require(Permission.READ);
    return stored(name, version);
  }

  private Optional<WorkflowDefinition> stored(String name, int version) {
    return access.find(WorkflowDefinition.class, Inputs.name("definition name", name), version);
  }

  private int newest(String name) {
    return access.highestNumber(newestFirst(name, 1));
  }

  @Override
  public Optional<WorkflowDefinition> latest(String name) {
    access.require(Permission.READ);
    // One that cannot be read may be the newest in use.
    return access
        .all(WorkflowDefinition.class, newestFirst(name, PAGE))
        .filter(one -> one.status().allowsCreation())
        .findFirst();
  }

  private static Scan newestFirst(String name, int limit) {
    return Scan.byKey(RecordTypes.DEFINITION, List.of(Inputs.name("definition name", name)), limit)
        .descending();
  }

  @Override
  public Page<WorkflowDefinition> versions(String name, int limit, Optional<String> after) {
    access.require(Permission.READ);
    Pages.checkLimit(limit);
    return access.page(WorkflowDefinition.class, newestFirst(name, limit).after(after));
  }

  @Override
  public Page<WorkflowDefinition> list(
      Optional<DefinitionStatus> status, int limit, Optional<String> after) {
    access.require(Permission.READ);
    Pages.checkLimit(limit);
    if (status.isPresent()) {
      return access.page(
          WorkflowDefinition.class,
          Scan.byPath(RecordTypes.DEFINITION, "by_status", List.of(status.get().name()), limit)
              .after(after));
    }
    return listed(limit, after);
  }

  /** Those that are not archived. However many are, they are passed over by whole pages. */
  private Page<WorkflowDefinition> listed(int limit, Optional<String> after) {
    Optional<String> next = after;
    List<WorkflowDefinition> shown = new ArrayList<>();
    int rows = limit;
    do {
      Scan scan = Scan.byKey(RecordTypes.DEFINITION, List.of(), rows).after(next);
      Page<WorkflowDefinition> page = access.page(WorkflowDefinition.class, scan);
      List<WorkflowDefinition> more =
          page.items().stream().filter(one -> one.status() != DefinitionStatus.ARCHIVED).toList();
      if (more.size() > limit - shown.size()) {
        // The place after the last that fits is not known: the page again, no further than to it.
        rows = 1 + page.items().indexOf(more.get(limit - shown.size() - 1));
      } else {
        shown.addAll(more);
        next = page.next();
        rows = limit;
      }
    } while (shown.size() < limit && next.isPresent());
    return new Page<>(shown, next);
  }

  @Override
  public CommitResult move(WorkflowDefinition seen, DefinitionStatus to) {
    access.require(Permission.MANAGE_DEFINITIONS);
    return access.changeStored(seen, before -> update(before, moved(before, to)));
  }

  private WorkflowDefinition moved(WorkflowDefinition before, DefinitionStatus to) {
    if (!before.status().next().contains(to)) {
      throw new IllegalTransition(
          "definition %s@%d is %s and cannot become %s; possible: %s"
              .formatted(
                  before.name(),
                  before.definitionVersion(),
                  before.status(),
                  to,
                  before.status().next()));
    }
    return new WorkflowDefinition(
        before.header(),
        before.name(),
        before.definitionVersion(),
        to,
        before.checksum(),
        before.body(),
        before.policyVersion(),
        before.policies(),
        to == DefinitionStatus.ARCHIVED ? Optional.of(access.now()) : Optional.empty());
  }

  @Override
  public CommitResult replaceBody(WorkflowDefinition seen, Payload body) {
    access.require(Permission.MANAGE_DEFINITIONS);
    return access.changeStored(seen, draft -> update(draft, withBody(draft, body)));
  }

  private WorkflowDefinition withBody(WorkflowDefinition draft, Payload body) {
    if (draft.status() != DefinitionStatus.DRAFT) {
      throw new IllegalTransition(
          "definition %s@%d is %s: only the body of a DRAFT changes; add a new version"
              .formatted(draft.name(), draft.definitionVersion(), draft.status()));
    }
    return new WorkflowDefinition(
        draft.header(),
        draft.name(),
        draft.definitionVersion(),
        draft.status(),
        checksum(body),
        Optional.of(sealed(draft.header(), draft.name(), draft.definitionVersion(), body)),
        draft.policyVersion(),
        draft.policies(),
        draft.archivedAt());
  }

  @Override
  public CommitResult setPolicies(WorkflowDefinition seen, DefinitionPolicies policies) {
    access.require(Permission.MANAGE_DEFINITIONS);
    return access.changeStored(seen, before -> update(before, withPolicies(before, policies)));
  }

  private static WorkflowDefinition withPolicies(
      WorkflowDefinition before, DefinitionPolicies policies) {
    EffectivePolicies.own(before); // What is not known here is not replaced.
    return new WorkflowDefinition(
        before.header(),
        before.name(),
        before.definitionVersion(),
        before.status(),
        before.checksum(),
        before.body(),
        TenantAccess.after(
            before.policyVersion(),
            "versions of the policies of " + key(before.name(), before.definitionVersion())),
        policies.entries(),
        before.archivedAt());
  }

  @Override
  public List<EffectivePolicy> policies(WorkflowDefinition definition) {
    access.require(Permission.READ);
    return policies(Optional.of(definition));
  }

  @Override
  public List<EffectivePolicy> policies(DefinitionRef definition) {
    access.require(Permission.READ);
    return policies(stored(definition.name(), definition.version()));
  }

  private List<EffectivePolicy> policies(Optional<WorkflowDefinition> definition) {
    return EffectivePolicies.of(access.engine().settings(), definition).all();
  }

  private CommitResult update(WorkflowDefinition before, WorkflowDefinition after) {
    return access.unit().updateRecord(before, after).commit();
  }

  @Override
  public Payload body(WorkflowDefinition definition) {
    Payload body =
        access
            .open(
                key(definition.name(), definition.definitionVersion()),
                definition.header(),
                "body",
                definition.body())
            .orElseThrow(
                () -> new Corrupt("definition " + definition.ref() + " has no body", null));
    if (!checksum(body).equals(definition.checksum())) {
      throw new Corrupt(
          "the body of definition %s@%d (data key %s) does not have its checksum, %s"
              .formatted(
                  definition.name(),
                  definition.definitionVersion(),
                  definition.body().flatMap(StoredPayload::keyId).orElse("none"),
                  definition.checksum()),
          null);
    }
    return body;
  }
}
