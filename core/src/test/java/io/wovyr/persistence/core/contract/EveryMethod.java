/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import io.wovyr.persistence.Repositories;

/**
 * Every public method of every repository, for tests elsewhere that look at what all of them leave
 * behind. That none is missing is held by {@link RightsContract}.
 */
public final class EveryMethod {
  /** Stands in every value that a method is given. */
  public static final String VALUE = RightsScene.VALUE;

  private EveryMethod() {}

  /**
   * Calls each of them once, successfully.
   *
   * @param all of a caller that may do everything
   * @return how many there are
   */
  public static int call(Repositories all) {
    RightsScene scene = new RightsScene(all);
    var methods = RepositoryMethods.all();
    methods.forEach(method -> method.prepare(scene).apply(all).run());
    return methods.size();
  }
}
