/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.payload.StoredPayload;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A stored value: always its content type and size, its content only when it was asked for.
 *
 * @param plain the value opened, or null when nobody asked
 */
record PayloadView(String contentType, long length, @Nullable Payload plain) {
  private static final int MOST_CHARACTERS = 160;

  /** Opens the value only {@code if (values)}. */
  static Optional<PayloadView> of(
      Optional<StoredPayload> stored, boolean values, Supplier<Optional<Payload>> open) {
    return stored.map(envelope -> of(envelope, values ? open.get().orElse(null) : null));
  }

  static PayloadView of(StoredPayload stored, @Nullable Payload plain) {
    return new PayloadView(stored.contentType(), stored.length(), plain);
  }

  /** Of a value that is open. */
  static PayloadView of(Payload opened, boolean values) {
    return new PayloadView(opened.contentType(), opened.content().size(), values ? opened : null);
  }

  /** {@code application/json, 1.2 KiB}. */
  String summary() {
    return contentType + ", " + Human.size(length);
  }

  /** Summary and, when opened, content; a dash for no value. */
  static String text(Optional<PayloadView> view) {
    return view.map(value -> value.plain() == null ? value.summary() : value.content())
        .orElse(Human.NOTHING);
  }

  /** The content on one line, its end left out when it is long. */
  String content() {
    if (plain == null) {
      return "";
    }
    Optional<String> text = readable(plain);
    if (text.isEmpty()) {
      return "(" + summary() + ": not text)";
    }
    String line =
        isJson(plain)
            ? Json.compact(text.get()).map(Json.Raw::json).orElse(text.get())
            : text.get();
    return Human.shortened(Human.oneLine(line), MOST_CHARACTERS);
  }

  /**
   * Content type, length and, when opened, one of {@code json}, {@code text} and {@code base64}.
   */
  JsonObject json() {
    JsonObject object = new JsonObject().put("contentType", contentType).put("length", length);
    if (plain == null) {
      return object;
    }
    Optional<String> text = readable(plain);
    if (text.isEmpty()) {
      byte[] bytes = plain.content().toByteArray();
      return object.put("base64", Base64.getEncoder().encodeToString(bytes));
    }
    Optional<Json.Raw> json = isJson(plain) ? Json.compact(text.get()) : Optional.empty();
    return json.isPresent() ? object.put("json", json) : object.put("text", text.get());
  }

  private static Optional<String> readable(Payload payload) {
    String type = mediaType(payload);
    if (!type.startsWith("text/") && !isJson(payload)) {
      return Optional.empty();
    }
    try {
      ByteBuffer bytes = payload.content().asReadOnlyBuffer();
      return Optional.of(StandardCharsets.UTF_8.newDecoder().decode(bytes).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }

  private static boolean isJson(Payload payload) {
    String type = mediaType(payload);
    return type.equals("application/json") || type.endsWith("+json");
  }

  private static String mediaType(Payload payload) {
    return payload.contentType().split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
  }
}
