/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence;

import io.wovyr.persistence.internal.Inputs;

/**
 * Names one commit so that its outcome can be asked for later, from any process: {@link
 * Repositories#outcome(CommitReference)}. Keep the token as text; its content is not part of the
 * api.
 *
 * @param token printable ASCII, at most 2,000 characters
 * @since 0.1
 */
public record CommitReference(String token) {
  public CommitReference {
    Inputs.name("commit reference", token, 2_000);
  }

  @Override
  public String toString() {
    return token;
  }
}
