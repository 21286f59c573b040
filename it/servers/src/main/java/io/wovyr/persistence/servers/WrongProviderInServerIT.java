/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import jakarta.inject.Inject;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A store that nobody has is not opened, and the choices are named. */
@ExtendWith(ArquillianExtension.class)
class WrongProviderInServerIT {
  @Inject Persistence persistence;

  @Deployment
  static EnterpriseArchive ear() {
    return Deployments.with("wovyr.storage.provider=postgres\n", WrongProviderInServerIT.class);
  }

  @Test
  void theChoicesAreNamed() {
    assertThatThrownBy(() -> persistence.provider())
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("'postgres'")
        .hasMessageContaining("[postgresql, sqlite]");
  }
}
