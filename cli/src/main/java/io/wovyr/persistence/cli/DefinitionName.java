/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.execution.DefinitionRef;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A definition as a person names it: {@code order} or {@code order@3}. */
record DefinitionName(String name, Optional<Integer> version) {
  private static final Pattern WITH_VERSION = Pattern.compile("([^@]+)@0*([1-9][0-9]{0,9})");

  /**
   * @throws InvalidInput when there is an {@code @} that no version follows: taken for a part of
   *     the name it would lead to another definition
   */
  static DefinitionName of(String text) {
    if (text.indexOf('@') < 0) {
      return new DefinitionName(text, Optional.empty());
    }
    Matcher matcher = WITH_VERSION.matcher(text);
    if (matcher.matches() && Long.parseLong(matcher.group(2)) <= Integer.MAX_VALUE) {
      return new DefinitionName(matcher.group(1), Optional.of(Integer.valueOf(matcher.group(2))));
    }
    throw new InvalidInput(
        "a definition is named as order or order@3, its version 1 to 2,147,483,647, not '"
            + text
            + "': a name has no @");
  }

  int requireVersion() {
    return version.orElseThrow(
        () -> new InvalidInput("say which version of '" + name + "': " + name + "@1, for example"));
  }

  /** The version named, of a definition that need not be stored. */
  Optional<DefinitionRef> reference() {
    return version.map(number -> DefinitionRef.of(name, number));
  }

  @Override
  public String toString() {
    return name + version.map(number -> "@" + number).orElse("");
  }
}
