/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.definition.DefinitionPolicies;
import io.wovyr.persistence.definition.DefinitionPolicies.Policy;
import io.wovyr.persistence.definition.EffectivePolicy;
import io.wovyr.persistence.definition.EffectivePolicy.Source;
import io.wovyr.persistence.definition.WorkflowDefinition;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What policies come to: a definition's own, else those of the settings, else the standard. */
record EffectivePolicies(DefinitionPolicies own, DefinitionPolicies settings) {
  /**
   * Those of a definition, or of one that is not stored here.
   *
   * @throws UnsupportedVersion when a newer node gave some of them
   */
  static EffectivePolicies of(CoreSettings settings, Optional<WorkflowDefinition> definition) {
    return new EffectivePolicies(
        definition.map(EffectivePolicies::own).orElse(DefinitionPolicies.DEFAULTS),
        settings.policies());
  }

  /**
   * The policies a definition itself gives.
   *
   * @throws UnsupportedVersion when a newer node gave some of them
   */
  static DefinitionPolicies own(WorkflowDefinition definition) {
    String which = "definition " + definition.name() + "@" + definition.definitionVersion();
    try {
      return DefinitionPolicies.ofEntries(definition.policies());
    } catch (UnsupportedVersion e) {
      throw new UnsupportedVersion(which + ": " + e.getMessage());
    } catch (Corrupt e) {
      throw new Corrupt(which + ": " + e.getMessage(), e);
    }
  }

  EffectivePolicy get(Policy policy) {
    return own.own(policy)
        .map(value -> new EffectivePolicy(policy, value, Source.DEFINITION))
        .or(
            () ->
                settings
                    .own(policy)
                    .map(value -> new EffectivePolicy(policy, value, Source.SETTING)))
        .orElseGet(() -> new EffectivePolicy(policy, policy.standard(), Source.DEFAULT));
  }

  List<EffectivePolicy> all() {
    return Arrays.stream(Policy.values()).map(this::get).toList();
  }
}
