/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.inject.Inject;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** C065: an application's own entities, encrypted by our converters and by one with a service. */
@ExtendWith(ArquillianExtension.class)
class ConvertersInServerIT {
  @Inject Cards cards;

  @Deployment
  static EnterpriseArchive ear() {
    return Deployments.of(
        ConvertersInServerIT.class,
        Card.class,
        Cards.class,
        CardEncryption.class,
        CardKeys.class,
        NoteConverter.class,
        StoreSql.class);
  }

  @Test
  @DisplayName("C065: the first action after a cold start writes and reads an encrypted entity")
  void theFirstActionIsEncrypted() {
    cards.save(1, "4111 1111 1111 1111", "for the party");

    Card found = cards.find(1);
    assertThat(found.number).isEqualTo("4111 1111 1111 1111");
    assertThat(found.note).isEqualTo("for the party");
    assertThat(cards.stored(1)).singleElement().asString().doesNotContain("4111").hasSize(19 + 61);
  }
}
