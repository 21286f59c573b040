/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.definition;

import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.internal.Inputs;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The policies of a definition by name. One that is not given has the default of the settings
 * ({@code wovyr.policy.<name>}), then of {@link Policy}: {@link Definitions#policies} answers what
 * holds. Immutable.
 *
 * @since 0.1
 */
public record DefinitionPolicies(SortedMap<String, String> values) {
  /** No policy of its own: all defaults. */
  public static final DefinitionPolicies DEFAULTS = new DefinitionPolicies(new TreeMap<>());

  /** Most UTF-16 units of a policy's value. */
  public static final int MAX_VALUE = 400;

  /**
   * @throws InvalidInput for a policy or a value that is not known, naming the known ones
   */
  public DefinitionPolicies {
    values.forEach((name, value) -> Policy.named(name).check(value));
    values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
  }

  /** What the values of a policy look like. */
  public enum Shape {
    /** One of the choices. */
    CHOICE,
    /** Some of the choices, joined by commas. */
    CHOICES,
    /** A whole number, 0 or more. */
    NUMBER,
    /** A whole number, 1 or more. */
    COUNT,
    /** A duration (ISO 8601) above zero, such as {@code PT30S}. */
    DURATION
  }

  /** The policies there are. */
  public enum Policy {
    /**
     * Whether another live execution may have the same workflowId. With {@code allow} an execution
     * does not hold its workflowId: {@link io.wovyr.persistence.execution.Executions#findLive} does
     * not find it, and one that holds the workflowId may be created beside it.
     */
    WORKFLOW_ID_REUSE(
        "execution.workflow-id-reuse", Shape.CHOICE, "reject-live", "reject-live", "allow"),
    /** When checkpoints are made by themselves. */
    CHECKPOINT_TRIGGERS(
        "checkpoint.triggers",
        Shape.CHOICES,
        "created,activity-completed,before-waiting,before-compensation,after-compensation,"
            + "before-completion,before-migration,before-shutdown",
        "created",
        "activity-completed",
        "before-waiting",
        "before-compensation",
        "after-compensation",
        "before-completion",
        "periodic",
        "before-migration",
        "before-shutdown"),
    /** Least time between two periodic checkpoints. */
    CHECKPOINT_PERIOD("checkpoint.period", Shape.DURATION, "PT5M"),
    /** What a failed checkpoint does to its execution. */
    CHECKPOINT_FAILURE(
        "checkpoint.on-failure",
        Shape.CHOICE,
        "retry",
        "retry",
        "fallback",
        "alert",
        "pause",
        "abort"),
    /** How many of the newest checkpoints are kept: at least one, so that there is a newest. */
    RETENTION_LATEST("retention.keep-latest", Shape.COUNT, "3"),
    /** For how many days the last checkpoint of each day is kept. */
    RETENTION_DAILY("retention.keep-daily", Shape.NUMBER, "0"),
    /** Whether checkpoints marked as milestones are kept. */
    RETENTION_MILESTONES("retention.keep-milestones", Shape.CHOICE, "true", "true", "false"),
    /** How long a checkpoint that nothing else keeps is kept. */
    RETENTION_EXPIRY("retention.expire-after", Shape.DURATION, "P30D");

    /** In capitals an S, and so it was taken for one. */
    private static final char LONG_S = '\u017f';

    private final String policyName;
    private final Shape shape;
    private final String standard;

    @SuppressWarnings("ImmutableEnumChecker") // List.of answers an immutable one.
    private final List<String> choices;

    Policy(String policyName, Shape shape, String standard, String... choices) {
      this.policyName = policyName;
      this.shape = shape;
      this.standard = standard;
      this.choices = List.of(choices);
    }

    /** Its name, as it is stored and set. */
    public String policyName() {
      return policyName;
    }

    /** Its value where nobody gave one. */
    public String standard() {
      return standard;
    }

    /** What its values look like. */
    public Shape shape() {
      return shape;
    }

    /** The policy of this name. */
    static Policy named(String name) {
      return Arrays.stream(values())
          .filter(policy -> policy.policyName.equals(name))
          .findFirst()
          .orElseThrow(
              () ->
                  new InvalidInput(
                      "there is no policy '%s'; there are %s"
                          .formatted(
                              name, Arrays.stream(values()).map(Policy::policyName).toList())));
    }

    /**
     * Refuses a value this policy cannot have.
     *
     * @throws InvalidInput naming what is possible
     */
    public void check(String value) {
      Inputs.name("policy " + policyName, value, MAX_VALUE);
      switch (shape) {
        case CHOICE -> checkChoice(value);
        case CHOICES -> checkChoices(value.split(",", -1));
        case NUMBER -> checkNumber(value, 0);
        case COUNT -> checkNumber(value, 1);
        case DURATION -> {
          if (duration(value).isNegative() || duration(value).isZero()) {
            throw new InvalidInput("policy " + policyName + " is a duration above zero");
          }
        }
      }
    }

    private void checkChoices(String[] values) {
      Arrays.stream(values).forEach(this::checkChoice);
      if (Arrays.stream(values).distinct().count() < values.length) {
        throw new InvalidInput("policy " + policyName + " names each of its choices once at most");
      }
    }

    private void checkNumber(String value, int least) {
      if (!value.matches("[0-9]{1,9}") || Integer.parseInt(value) < least) {
        throw new InvalidInput(
            "policy " + policyName + " is a whole number, " + least + " or more");
      }
    }

    /** A value of {@link Shape#DURATION}. */
    Duration duration(String value) {
      try {
        return Duration.parse(value); // In letters of either case, of ASCII only.
      } catch (DateTimeException e) {
        throw new InvalidInput(
            "policy " + policyName + " is a duration (ISO 8601) such as PT30S or P7D");
      }
    }

    /** What a stored value comes to that was taken before this was as strict as it is now. */
    private String tightened(String value) {
      return switch (shape) {
        case COUNT -> value.matches("0{1,9}") ? "1" : value;
        case CHOICES ->
            Arrays.stream(value.split(",", -1)).distinct().collect(Collectors.joining(","));
        case DURATION -> value.replace(LONG_S, 's');
        case CHOICE, NUMBER -> value;
      };
    }

    private void checkChoice(String value) {
      if (!choices.contains(value)) {
        throw new InvalidInput(
            shape == Shape.CHOICES
                ? "policy %s is one or some of %s, joined by commas without blanks"
                    .formatted(policyName, choices)
                : "policy " + policyName + " is one of " + choices);
      }
    }
  }

  /** The value this definition itself gives. */
  public Optional<String> own(Policy policy) {
    return Optional.ofNullable(values.get(policy.policyName()));
  }

  /** With this value of a policy. */
  public DefinitionPolicies with(Policy policy, String value) {
    SortedMap<String, String> changed = new TreeMap<>(values);
    changed.put(policy.policyName(), value);
    return new DefinitionPolicies(changed);
  }

  /** As they are stored: {@code name=value}, by name. */
  public List<String> entries() {
    List<String> entries = new ArrayList<>();
    values.forEach((name, value) -> entries.add(name + "=" + value));
    return entries;
  }

  /**
   * The policies of these entries, all of them. What earlier versions took and this one refuses is
   * read as the nearest that is allowed: a count of 0 as 1, a choice that is named twice as named
   * once.
   *
   * @throws UnsupportedVersion for a policy, or a value of one, that is not known here: a newer
   *     node wrote it, and what it means must be neither guessed nor overlooked
   * @throws Corrupt for what is no entry
   */
  public static DefinitionPolicies ofEntries(List<String> entries) {
    SortedMap<String, String> known = new TreeMap<>();
    for (String entry : entries) {
      int at = entry.indexOf('=');
      if (at < 1 || known.put(entry.substring(0, at), valueOf(entry, at)) != null) {
        throw new Corrupt("stored policies are no list of name=value", null);
      }
    }
    try {
      return new DefinitionPolicies(known);
    } catch (InvalidInput e) {
      throw new UnsupportedVersion("a newer version gave these policies: " + e.getMessage());
    }
  }

  private static String valueOf(String entry, int at) {
    String name = entry.substring(0, at);
    String value = entry.substring(at + 1);
    return Arrays.stream(Policy.values())
        .filter(policy -> policy.policyName.equals(name))
        .findFirst()
        .map(policy -> policy.tightened(value))
        .orElse(value);
  }

  /** Of one name and value. */
  public static DefinitionPolicies of(Map<String, String> values) {
    return new DefinitionPolicies(new TreeMap<>(values));
  }
}
