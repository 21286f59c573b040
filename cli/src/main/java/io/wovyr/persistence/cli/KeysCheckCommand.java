/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.encryption.EnvelopeSealingFactory;
import io.wovyr.encryption.key.KeyChecks;
import io.wovyr.encryption.key.KeyChecks.Checked;
import io.wovyr.encryption.key.KeyChecks.Finding;
import io.wovyr.encryption.key.KeyProvider;
import io.wovyr.encryption.key.KeystoreSettings;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.core.WovyrPersistence;
import java.io.PrintStream;
import java.util.List;
import picocli.CommandLine.Command;

/** Tries every data key of a tenant. */
@Command(
    name = "check",
    description = {
      "Opens every data key of the tenant with the keystore of the settings,",
      "and says which do not open and why. Opens no value.",
      "Fails when a key does not open."
    })
final class KeysCheckCommand extends StoreCommand {
  @Override
  ExitCode run() {
    KeyProvider provider =
        EnvelopeSealingFactory.keys(settings().library())
            .orElseThrow(
                () -> new InvalidInput("say where the keystore is: " + KeystoreSettings.PATH));
    try (WovyrPersistence persistence = open()) {
      KeyChecks checks = new KeyChecks(provider, persistence.dataKeys());
      List<Checked> checked = checks.check(tenant());
      answer(new Findings(checked, provider.location()));
      boolean allOpen = checked.stream().allMatch(one -> one.finding() == Finding.OPENS);
      return allOpen ? ExitCode.OK : ExitCode.FAILED;
    }
  }

  private final class Findings implements Answer {
    private final List<Checked> checked;
    private final String location;

    Findings(List<Checked> checked, String location) {
      this.checked = checked;
      this.location = location;
    }

    @Override
    public void text(PrintStream out) {
      if (checked.isEmpty()) {
        out.println(
            "tenant '%s' has no data key in %s: nothing of it is sealed"
                .formatted(tenant(), storeName()));
        return;
      }
      Table table = new Table("SCOPE", ">NUMBER", "DATA KEY", "WRAPPED BY", "FOUND");
      for (Checked one : checked) {
        table.row(
            one.key().scope(),
            one.key().number(),
            one.key().id(),
            one.key().wrappingKeyId(),
            one.finding() == Finding.OPENS ? "opens" : one.finding());
      }
      table.print(out);
      checked.forEach(one -> one.detail().ifPresent(out::println));
      out.println("tried with the " + location);
    }

    @Override
    public JsonObject json() {
      return new JsonObject()
          .put("tenant", tenant())
          .put("keystore", location)
          .put("keys", checked.stream().map(Findings::item).toList());
    }

    private static JsonObject item(Checked one) {
      return new JsonObject()
          .put("scope", one.key().scope().name())
          .put("number", one.key().number())
          .put("id", one.key().id())
          .put("wrappedBy", one.key().wrappingKeyId())
          .put("found", one.finding().name())
          .put("detail", one.detail());
    }
  }
}
