/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.storage.spi.Deadline;
import java.time.Duration;
import java.util.Map;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Test;

class SessionFactoriesTest {
  private static final Duration MOMENT = Duration.ofMillis(200);
  private static final Duration AMPLE = Duration.ofSeconds(60);

  private static SessionFactories factories(String name) {
    return new SessionFactories(
        name,
        Map.of(
            "hibernate.dialect",
            "org.hibernate.community.dialect.SQLiteDialect",
            "jakarta.persistence.database-product-name",
            "SQLite"));
  }

  @Test
  void theFirstCallIsNotChargedForTheTimeHibernateTakesToStart() {
    try (SessionFactories factories = factories("first-call")) {
      Deadline left = factories.ready(Deadline.after(AMPLE));
      assertThat(left.remaining()).isGreaterThan(AMPLE.minusSeconds(1));
    }
    try (SessionFactories factories = factories("hasty-call")) {
      factories.ready(Deadline.after(MOMENT));
      assertThat(factories.get(Deadline.after(MOMENT))).isNotNull();
    }
  }

  @Test
  void aDeadlineThatIsOverIsOver() {
    try (SessionFactories factories = factories("late-call")) {
      assertThatThrownBy(() -> factories.ready(Deadline.after(Duration.ZERO)))
          .isInstanceOf(Unavailable.class);
    }
  }

  @Test
  void laterCallsKeepTheirDeadlines() {
    try (SessionFactories factories = factories("later-call")) {
      factories.get(Deadline.after(AMPLE));
      Deadline deadline = Deadline.after(AMPLE);
      assertThat(factories.ready(deadline)).isEqualTo(deadline);
    }
  }

  @Test
  void storesOfOneKindShareOneAndTheLastToCloseClosesIt() {
    SessionFactories one = factories("shared");
    SessionFactories other = factories("shared");
    SessionFactory factory = one.get(Deadline.after(AMPLE));
    assertThat(other.get(Deadline.after(AMPLE))).isSameAs(factory);
    one.close();
    one.close();
    assertThat(factory.isOpen()).isTrue();
    other.close();
    assertThat(factory.isOpen()).isFalse();
    assertThatThrownBy(() -> other.get(Deadline.after(AMPLE))).isInstanceOf(Unavailable.class);
  }
}
