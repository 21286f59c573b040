/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A definition as a person names it: {@code order} or {@code order@3}. */
record DefinitionName(String name, Optional<Integer> version) {
  private static final Pattern WITH_VERSION = Pattern.compile("(.+)@([0-9]{1,9})");

  static DefinitionName of(String text) {
    Matcher matcher = WITH_VERSION.matcher(text);
    return matcher.matches()
        ? new DefinitionName(matcher.group(1), Optional.of(Integer.valueOf(matcher.group(2))))
        : new DefinitionName(text, Optional.empty());
  }

  int requireVersion() {
    return version.orElseThrow(
        () -> new InvalidInput("say which version of '" + name + "': " + name + "@1, for example"));
  }

  @Override
  public String toString() {
    return name + version.map(number -> "@" + number).orElse("");
  }
}
