/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.sealing.spi.SealingProvider;
import java.util.Optional;

/** A sealing of somebody else's, in a jar that knows the api only; hides nothing. */
public final class MirrorSealing implements SealingProvider {
  static final String NAME = "mirror";
  private static final int CODEC = 254;

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Sealed seal(Bytes plain, Binding binding) {
    return new Sealed(CODEC, Optional.of("looking-glass"), mirrored(plain));
  }

  @Override
  public Bytes open(Sealed sealed, Binding binding) {
    return mirrored(sealed.bytes());
  }

  private static Bytes mirrored(Bytes bytes) {
    byte[] from = bytes.toByteArray();
    byte[] to = new byte[from.length];
    for (int i = 0; i < from.length; i++) {
      to[i] = from[from.length - 1 - i];
    }
    return Bytes.wrap(to);
  }
}
