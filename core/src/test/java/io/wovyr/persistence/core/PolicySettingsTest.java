/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.definition.DefinitionPolicies.Policy;
import io.wovyr.persistence.definition.EffectivePolicy;
import io.wovyr.persistence.definition.EffectivePolicy.Source;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The settings {@code wovyr.policy.*}. */
final class PolicySettingsTest {
  private static EffectivePolicy effective(Policy policy, Map<String, String> settings) {
    return EffectivePolicies.of(CoreSettings.from(settings), Optional.empty()).get(policy);
  }

  @ParameterizedTest
  @EnumSource(Policy.class)
  void everyPolicyHasASettingThatIsKnown(Policy policy) {
    Map<String, String> settings = Map.of("wovyr.policy." + policy.policyName(), policy.standard());

    assertThat(effective(policy, settings).source()).isEqualTo(Source.SETTING);
    assertThat(effective(policy, Map.of()).source()).isEqualTo(Source.DEFAULT);
    assertThat(DeclaredSettings.unknown(settings, true, Optional.empty())).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Policy.class)
  void everyPolicyIsInTheDocument(Policy policy) throws IOException {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("docs/records.md"))) {
      folder = folder.getParent();
    }
    assertThat(Files.readString(folder.resolve("docs/records.md")))
        .contains("`" + policy.policyName() + "`");
  }

  @ParameterizedTest
  @CsvSource({
    "wovyr.policy.execution.workflow-id-reuse, sometimes, reject-live",
    "wovyr.policy.checkpoint.triggers, 'created,', periodic",
    "wovyr.policy.checkpoint.period, 5 minutes, PT30S",
    "wovyr.policy.checkpoint.period, PT0S, above zero",
    "wovyr.policy.checkpoint.period, -PT5M, above zero",
    "wovyr.policy.checkpoint.on-failure, RETRY, retry",
    "wovyr.policy.retention.keep-latest, 0, 1 or more",
    "wovyr.policy.retention.keep-latest, 9999999999, 1 or more",
    "wovyr.policy.retention.keep-daily, -1, 0 or more",
    "wovyr.policy.retention.keep-milestones, yes, true",
    "wovyr.policy.retention.expire-after, never, P7D",
    "wovyr.policy.retention.keep, 3, wovyr.policy.retention.keep-latest",
    "wovyr.policy., 3, wovyr.policy.retention.keep-latest"
  })
  void aBadValueIsRefusedNamingItsSetting(String setting, String value, String hint) {
    assertThatThrownBy(() -> CoreSettings.from(Map.of(setting, value)))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContainingAll(setting, hint);
  }

  @Test
  void valuesHaveTheTypeOfTheirPolicy() {
    assertThat(effective(Policy.RETENTION_LATEST, Map.of()).number()).isEqualTo(3);
    assertThat(effective(Policy.RETENTION_EXPIRY, Map.of()).duration())
        .isEqualTo(Duration.ofDays(30));
    assertThat(effective(Policy.CHECKPOINT_TRIGGERS, Map.of()).choices())
        .contains("created", "before-waiting")
        .doesNotContain("periodic");
    assertThatThrownBy(() -> effective(Policy.RETENTION_LATEST, Map.of()).duration())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("retention.keep-latest");
  }
}
