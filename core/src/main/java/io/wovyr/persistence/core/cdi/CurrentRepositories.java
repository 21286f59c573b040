/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.cdi;

import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.Repositories;
import jakarta.enterprise.context.RequestScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import org.jspecify.annotations.Nullable;

/** The repositories of the caller of one request; who that is, is found out once. */
@RequestScoped
class CurrentRepositories {
  @Inject Instance<Persistence> persistence;
  @Inject Callers callers;

  private @Nullable Repositories repositories;

  /**
   * @throws io.wovyr.persistence.PersistenceException.AccessDenied when the request does not say on
   *     whose behalf it is
   */
  Repositories repositories() {
    Repositories found = repositories;
    if (found == null) {
      found = persistence.get().as(callers.current());
      repositories = found;
    }
    return found;
  }
}
