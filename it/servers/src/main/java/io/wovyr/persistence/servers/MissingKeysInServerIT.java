/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.PersistenceException.Unavailable;
import jakarta.inject.Inject;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** C065: an application that forgot its keys stores nothing. */
@ExtendWith(ArquillianExtension.class)
class MissingKeysInServerIT {
  @Inject Cards cards;

  @Deployment
  static EnterpriseArchive ear() {
    return Deployments.of(
        MissingKeysInServerIT.class,
        Card.class,
        Cards.class,
        NoteConverter.class,
        CardKeys.class,
        StoreSql.class);
  }

  @Test
  @DisplayName("C065: without the key service the first write fails, and the table holds nothing")
  void nothingIsStored() {
    assertThatThrownBy(() -> cards.save(2, "4111 1111 1111 1111", "for the party"))
        .hasRootCauseInstanceOf(Unavailable.class)
        .hasStackTraceContaining("there is no column encryption");

    assertThat(cards.stored(2)).isEmpty();
  }
}
