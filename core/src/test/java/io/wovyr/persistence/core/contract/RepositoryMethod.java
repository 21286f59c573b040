/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import io.wovyr.persistence.Permission;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * One public method of the repositories, what it needs, and how it is called.
 *
 * @param signature as in {@code executions.find(UUID)}
 * @param variant how it is called, where that decides what it needs; empty otherwise
 * @param needs empty: every caller may call it
 * @param given makes what it is called with
 */
record RepositoryMethod<G>(
    String signature,
    String variant,
    Optional<Permission> needs,
    Function<RightsScene, G> given,
    Call<G> call) {

  /** Calls a method and answers what it answered. */
  @FunctionalInterface
  interface Call<G> {
    Object by(Repositories caller, G with);
  }

  /** Calls a method that has all it needs but the caller, and answers what it answered. */
  @FunctionalInterface
  interface Ready {
    Object by(Repositories caller);
  }

  static <G> RepositoryMethod<G> of(
      String signature, Permission needs, Function<RightsScene, G> given, Call<G> call) {
    return new RepositoryMethod<>(signature, "", Optional.of(needs), given, call);
  }

  static <G> RepositoryMethod<G> free(
      String signature, Function<RightsScene, G> given, Call<G> call) {
    return new RepositoryMethod<>(signature, "", Optional.empty(), given, call);
  }

  RepositoryMethod<G> when(String how) {
    return new RepositoryMethod<>(signature, how, needs, given, call);
  }

  boolean isFor(Role role) {
    return needs.map(permission -> permission.isAllowedBy(Set.of(role))).orElse(true);
  }

  /** What it is called with is made now; the answer calls it. */
  Function<Repositories, Runnable> prepare(RightsScene scene) {
    Ready ready = ready(scene);
    return caller -> () -> ready.by(caller);
  }

  /** What it is called with is made now; the function calls it and tells what it answered. */
  Ready ready(RightsScene scene) {
    G with = given.apply(scene);
    return caller -> call.by(caller, with);
  }

  /** As documents name it: without parameters. */
  String name() {
    return signature.substring(0, signature.indexOf('('));
  }

  @Override
  public String toString() {
    return variant.isEmpty() ? signature : signature + " " + variant;
  }
}
