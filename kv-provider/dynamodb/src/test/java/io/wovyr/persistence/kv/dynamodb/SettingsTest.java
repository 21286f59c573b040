/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.kv.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
  private static DynamoDbSettings of(String name, String value) {
    return DynamoDbSettings.of(Map.of(name, value));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://dynamodb.example.org",
        "http://127.0.0.1.example.org:8000",
        "http://localhost.example.org",
        "http://localhost@example.org",
        "http://0.0.0.0:8000",
        "http://10.0.0.1:8000",
        "HTTP://example.org",
        "ftp://127.0.0.1",
        "127.0.0.1:8000",
        "https://",
        "https://user:secret@example.org"
      })
  void anEndpointThatIsNotSafeIsRefused(String endpoint) {
    assertThatThrownBy(() -> of("endpoint", endpoint))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("wovyr.storage.endpoint")
        .hasMessageNotContaining("secret@");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://127.0.0.1:8000",
        "http://localhost:8000",
        "http://[::1]:8000",
        "https://dynamodb.eu-central-1.amazonaws.com"
      })
  void anEndpointByTlsOrOnThisMachineIsTaken(String endpoint) {
    assertThat(of("endpoint", endpoint).endpoint()).isPresent();
  }

  @Test
  void wrongValuesNameTheirSetting() {
    assertThatThrownBy(() -> of("table", "no spaces")).hasMessageContaining("wovyr.storage.table");
    assertThatThrownBy(() -> of("shards", "0")).hasMessageContaining("wovyr.storage.shards");
    assertThatThrownBy(() -> of("connections", "x"))
        .hasMessageContaining("wovyr.storage.connections");
    assertThatThrownBy(() -> of("access-key-id", "AKIA"))
        .hasMessageContaining("wovyr.storage.secret-access-key");
    assertThatThrownBy(() -> of("point-in-time-recovery", "yes"))
        .hasMessageContaining("wovyr.storage.point-in-time-recovery");
  }

  @Test
  void aSecretIsNotShown() {
    assertThat(
            DynamoDbSettings.of(Map.of("access-key-id", "AKIA", "secret-access-key", "hidden"))
                .toString())
        .contains("AKIA")
        .doesNotContain("hidden");
  }

  @Test
  void everySettingThatIsReadIsDeclared() {
    assertThat(new DynamoDbStorageProvider().settings()).hasSize(8);
  }
}
