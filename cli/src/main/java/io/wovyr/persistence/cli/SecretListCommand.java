/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.secret.SecretRef;
import picocli.CommandLine.Command;

/** Lists secrets, never their values. */
@Command(
    name = "list",
    description = "Lists secrets by name and version, the revoked ones too; never their values.")
final class SecretListCommand extends ListCommand<SecretRef> {
  /** The least that may see names: it opens nothing. */
  @Override
  Role role() {
    return Role.AUDITOR;
  }

  @Override
  Source<SecretRef> source(Repositories repositories) {
    return repositories.secrets()::list;
  }

  @Override
  String command() {
    return "secret list";
  }

  @Override
  String member() {
    return "secrets";
  }

  @Override
  JsonObject item(SecretRef secret) {
    return json(secret);
  }

  static JsonObject json(SecretRef secret) {
    return new JsonObject()
        .put("name", secret.name())
        .put("version", secret.version())
        .put("reference", secret.toString());
  }

  @Override
  Table table() {
    return new Table("NAME", ">VERSION", "REFERENCE");
  }

  @Override
  void row(Table table, SecretRef secret) {
    table.row(secret.name(), secret.version(), secret);
  }

  @Override
  String nothing() {
    return "no secrets of tenant '%s' in %s; to store one: %s"
        .formatted(tenant(), storeName(), again("secret put NAME --file PATH"));
  }
}
