/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.payload;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.internal.Inputs;

/**
 * A value of a user: content type and bytes. The same bytes come back from every store; nothing
 * looks inside them and nothing in them ever chooses a class to load. Immutable; {@code toString}
 * never shows the content.
 *
 * @param contentType a media type (RFC 6838) such as {@code application/json}, 1 to 255 characters
 * @since 0.1
 */
public record Payload(String contentType, Bytes content) {
  public Payload {
    Inputs.name("content type", contentType);
  }

  /** A payload of these bytes, copied. */
  public static Payload of(String contentType, byte[] content) {
    return new Payload(contentType, Bytes.copyOf(content));
  }

  /** UTF-8 text; any character is allowed, U+0000 too. */
  public static Payload text(String text) {
    return new Payload("text/plain;charset=utf-8", Bytes.utf8(text));
  }

  /** JSON text as it is, neither parsed nor reformatted. */
  public static Payload json(String json) {
    return new Payload("application/json", Bytes.utf8(json));
  }

  @Override
  public String toString() {
    return "Payload[" + contentType + ", " + content + "]";
  }
}
