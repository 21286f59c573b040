/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.wovyr.persistence.settings.spi.Setting;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The reference page is made from what is declared, so that must be what is read. */
final class SqliteDeclaredSettingsTest {
  /** Of whoever looks the provider up. */
  private static final Set<String> NOT_OURS = Set.of("provider");

  @Test
  void everySettingThatIsReadIsDeclaredAndNoOther() {
    Set<String> read =
        SqliteSettings.KNOWN.stream()
            .filter(key -> !NOT_OURS.contains(key))
            .map(key -> "wovyr.storage." + key)
            .collect(Collectors.toSet());
    assertThat(new SqliteStorageProvider().settings())
        .extracting(Setting::name)
        .containsExactlyInAnyOrderElementsOf(read);
  }
}
