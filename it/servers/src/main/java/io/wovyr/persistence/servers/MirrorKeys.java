/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import io.wovyr.encryption.key.KeyProvider;
import io.wovyr.persistence.Bytes;
import jakarta.enterprise.context.ApplicationScoped;

/** Keys of an application's own, in a jar beside the library; hides nothing. */
@ApplicationScoped
public class MirrorKeys implements KeyProvider {
  static final String NAME = "mirror";

  /** For the container. */
  public MirrorKeys() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String location() {
    return "behind the looking-glass";
  }

  @Override
  public void prepare(boolean storeIsNew) {
    // It is always there.
  }

  @Override
  public Wrapped wrap(Bytes dataKey, Place place) {
    return new Wrapped("looking-glass", dataKey);
  }

  @Override
  public Bytes unwrap(Wrapped wrapped, Place place) {
    return wrapped.bytes();
  }
}
