/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.definition;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.definition.DefinitionPolicies.Policy;
import io.wovyr.persistence.definition.DefinitionPolicies.Shape;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What a policy comes to for one definition, and who said so. Immutable.
 *
 * @param value one that the policy can have
 * @since 0.1
 */
public record EffectivePolicy(Policy policy, String value, Source source) {
  /**
   * @throws InvalidInput for a value the policy cannot have
   */
  public EffectivePolicy {
    policy.check(value);
  }

  /** Who gave the value; the first that gives one is heard. */
  public enum Source {
    /** The definition's own policies. */
    DEFINITION,
    /** The setting {@code wovyr.policy.<name>} of this node. */
    SETTING,
    /** Nobody: the policy's standard value. */
    DEFAULT
  }

  /**
   * The value of a {@link Shape#NUMBER} or {@link Shape#COUNT}.
   *
   * @throws IllegalStateException when the policy has another shape
   */
  public int number() {
    require(EnumSet.of(Shape.NUMBER, Shape.COUNT));
    return Integer.parseInt(value);
  }

  /**
   * The value of a {@link Shape#DURATION}, above zero.
   *
   * @throws IllegalStateException when the policy has another shape
   */
  public Duration duration() {
    require(EnumSet.of(Shape.DURATION));
    return policy.duration(value);
  }

  /**
   * The one choice of a {@link Shape#CHOICE}, those of a {@link Shape#CHOICES}.
   *
   * @throws IllegalStateException when the policy has another shape
   */
  public List<String> choices() {
    require(EnumSet.of(Shape.CHOICE, Shape.CHOICES));
    return List.of(value.split(",", -1));
  }

  private void require(Set<Shape> shapes) {
    if (!shapes.contains(policy.shape())) {
      throw new IllegalStateException(
          "policy " + policy.policyName() + " is a " + policy.shape() + ", none of " + shapes);
    }
  }
}
