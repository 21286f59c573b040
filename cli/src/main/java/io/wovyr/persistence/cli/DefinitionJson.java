/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.definition.WorkflowDefinition;

/** The JSON shape of a definition. Stateless. */
final class DefinitionJson {
  private DefinitionJson() {}

  static JsonObject summary(WorkflowDefinition definition) {
    return new JsonObject()
        .put("name", definition.name())
        .put("version", definition.definitionVersion())
        .put("status", definition.status())
        .put("checksum", definition.checksum())
        .put("contentType", definition.body().map(body -> body.contentType()))
        .put("length", definition.body().map(body -> body.length()))
        .put("policyVersion", definition.policyVersion())
        .put("policies", definition.policies())
        .put("createdAt", definition.header().createdAt())
        .put("archivedAt", definition.archivedAt());
  }
}
