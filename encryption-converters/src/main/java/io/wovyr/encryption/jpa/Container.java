/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption.jpa;

import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.CDI;
import java.util.Optional;
import javax.naming.InitialContext;
import javax.naming.NamingException;

/** The CDI container; a class of its own, so that nobody without CDI has to load it. */
final class Container {
  private static final String OF_THE_APPLICATION = "java:comp/BeanManager";

  private Container() {}

  /**
   * The bean of the application whose thread this is, else the one that this library's archive
   * sees: in an EAR the library lies in {@code lib}, and does not see the beans of a WAR beside it.
   *
   * @throws IllegalStateException when no container runs here
   */
  static Optional<ColumnEncryption> find() {
    return ofTheApplication().or(() -> only(CDI.current().select(ColumnEncryption.class)));
  }

  @SuppressWarnings("BanJNDI") // The container's own namespace, by a name nobody else gives.
  private static Optional<ColumnEncryption> ofTheApplication() {
    try {
      BeanManager beans = InitialContext.doLookup(OF_THE_APPLICATION);
      return only(beans.createInstance().select(ColumnEncryption.class));
    } catch (NamingException e) {
      // No server, or a thread that belongs to no application.
      return Optional.empty();
    }
  }

  private static Optional<ColumnEncryption> only(Instance<ColumnEncryption> found) {
    return found.isUnsatisfied() ? Optional.empty() : Optional.of(found.get());
  }
}
