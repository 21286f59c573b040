/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.definition;

import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.payload.Payload;
import java.util.List;
import java.util.Optional;

/**
 * Workflow definitions of one tenant. Thread-safe. Reads need {@code READ}, changes {@code
 * MANAGE_DEFINITIONS} ({@link io.wovyr.persistence.Permission}); every change is in the history.
 *
 * <p>A change is made to what is stored, not to what the record it is handed says: of that only its
 * name, its id and its version count. It is a conflict when another version is stored by then
 * ({@code STALE_VERSION}), or none of this id ({@code NOT_FOUND}).
 *
 * @since 0.1
 */
public interface Definitions {
  /**
   * Stores a definition. Idempotent for a given version: the same name, version and body succeeds
   * and returns the stored one, whatever policies and status are given, which are not changed;
   * another body is a conflict ({@code ALREADY_EXISTS}). Without a version the next free one is
   * taken, whoever else adds at the same time.
   *
   * @throws PersistenceException.InvalidInput when the checksum is not the body's, or no version is
   *     given and the highest, 2,147,483,647, is taken
   */
  CommitResult add(NewDefinition definition);

  /** This version, whatever its status. */
  Optional<WorkflowDefinition> find(String name, int version);

  /**
   * The newest version executions can be created from.
   *
   * @throws PersistenceException.UnsupportedVersion when a newer version of this library wrote one
   *     that is newer, and may be it
   * @throws PersistenceException.Corrupt when a newer one is damaged
   */
  Optional<WorkflowDefinition> latest(String name);

  /**
   * The versions of a name, newest first, whatever their status, without those that cannot be read
   * here.
   */
  Page<WorkflowDefinition> versions(String name, int limit, Optional<String> after);

  /** Definitions of one status by name; of all but the archived ones when none is given. */
  Page<WorkflowDefinition> list(
      Optional<DefinitionStatus> status, int limit, Optional<String> after);

  /**
   * Moves a definition to another status. Archiving only hides: bodies stay readable and running
   * executions go on; creating from it is refused from then on, except by a creation that was
   * already on its way.
   *
   * @throws PersistenceException.IllegalTransition when the lifecycle has no such step
   */
  CommitResult move(WorkflowDefinition before, DefinitionStatus to);

  /**
   * Replaces the body of a draft.
   *
   * @throws PersistenceException.IllegalTransition when it is no draft any more
   */
  CommitResult replaceBody(WorkflowDefinition draft, Payload body);

  /**
   * Replaces all policies: those not given have their defaults again. The policy version rises by
   * one.
   *
   * @throws PersistenceException.UnsupportedVersion when the present ones are not all known here: a
   *     newer node gave them, and they would be lost
   */
  CommitResult setPolicies(WorkflowDefinition before, DefinitionPolicies policies);

  /**
   * What every policy comes to for this definition, in the order of {@link
   * DefinitionPolicies.Policy}: its own value, else the setting {@code wovyr.policy.<name>} of this
   * node, else the default. Reads nothing from the store.
   *
   * @throws PersistenceException.UnsupportedVersion when it has a policy, or a value of one, that
   *     is not known here; the definition itself stays readable
   */
  List<EffectivePolicy> policies(WorkflowDefinition definition);

  /**
   * What every policy comes to for an execution of this definition, as it is stored now; where it
   * is not stored here, by the settings and defaults alone.
   *
   * @throws PersistenceException.UnsupportedVersion as {@link #policies(WorkflowDefinition)}
   */
  List<EffectivePolicy> policies(DefinitionRef definition);

  /**
   * The body, byte for byte.
   *
   * @throws PersistenceException.Corrupt when it does not have its checksum
   */
  Payload body(WorkflowDefinition definition);
}
