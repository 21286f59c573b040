/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption.key;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.internal.FileReasons;
import io.wovyr.persistence.sealing.spi.DataKeyStore;
import io.wovyr.persistence.sealing.spi.SealingProvider.KeyScope;
import io.wovyr.persistence.sealing.spi.WrappedDataKey;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Wrapped data keys in a folder, a file each, for applications that have no store of this library.
 * Files are made whole and never changed; of processes that make the same one at once, one wins.
 * Back the folder up with the data it belongs to. Needs a file system with hard links. Thread-safe.
 *
 * @since 0.1
 */
public final class FileDataKeyStore implements DataKeyStore {
  private static final String FORMAT = "1";
  private static final String SUFFIX = ".datakey";
  private static final int NAME_CHARACTERS = 32;

  private final Path folder;

  /** Keys in this folder, made with the first of them. */
  public FileDataKeyStore(Path folder) {
    this.folder = folder;
  }

  @Override
  public List<WrappedDataKey> list(String tenantId) {
    List<WrappedDataKey> keys = new ArrayList<>();
    String prefix = prefixOf(tenantId);
    for (Path file : files()) {
      if (String.valueOf(file.getFileName()).startsWith(prefix)) {
        WrappedDataKey key = read(file);
        if (key.tenantId().equals(tenantId)) {
          keys.add(key);
        }
      }
    }
    keys.sort(MemoryDataKeyStore.ORDER);
    return List.copyOf(keys);
  }

  @Override
  public boolean create(WrappedDataKey key) {
    Path file =
        folder.resolve(
            prefixOf(key.tenantId())
                + key.scope().name().toLowerCase(Locale.ROOT)
                + "-"
                + key.number()
                + SUFFIX);
    try {
      return OwnerOnlyFiles.create(file, write(key));
    } catch (IOException e) {
      throw new Unavailable(
          "data key %s cannot be written to %s: %s"
              .formatted(key.id(), folder, FileReasons.withPath(e)),
          e);
    }
  }

  @Override
  public boolean isEmpty() {
    return files().isEmpty();
  }

  private List<Path> files() {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(file -> file.toString().endsWith(SUFFIX)).toList();
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (NotDirectoryException e) {
      throw new Unavailable("data keys cannot be read: " + folder + " is not a folder", e);
    } catch (IOException e) {
      throw new Unavailable(
          "data keys cannot be read from " + folder + ": " + FileReasons.of(e), e);
    }
  }

  private static byte[] write(WrappedDataKey key) {
    Map<String, String> fields = new TreeMap<>();
    fields.put("created", key.createdAt().toString());
    fields.put("id", key.id().toString());
    fields.put("number", Integer.toString(key.number()));
    fields.put("scope", key.scope().name());
    fields.put("tenant", hex(key.tenantId()));
    fields.put("wrapped", HexFormat.of().formatHex(key.wrapped().unsafeArray()));
    fields.put("wrapping-key", hex(key.wrappingKeyId()));
    StringBuilder text = new StringBuilder("wovyr-data-key=" + FORMAT + "\n");
    fields.forEach((name, value) -> text.append(name).append('=').append(value).append('\n'));
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }

  private static WrappedDataKey read(Path file) {
    Map<String, String> fields = new TreeMap<>();
    try {
      for (String line : Files.readAllLines(file, StandardCharsets.US_ASCII)) {
        int equals = line.indexOf('=');
        fields.put(line.substring(0, Math.max(equals, 0)), line.substring(equals + 1));
      }
    } catch (CharacterCodingException e) {
      throw new Corrupt("data key file " + file + " is damaged", e);
    } catch (IOException e) {
      throw new Unavailable("data key file " + file + " cannot be read: " + FileReasons.of(e), e);
    }
    String format = fields.getOrDefault("wovyr-data-key", "");
    // No number, or one below the first, was never written.
    if (format.matches("[1-9]\\d*") && !format.equals(FORMAT)) {
      throw new UnsupportedVersion("data key file " + file + " is of a format not known here");
    }
    if (!format.equals(FORMAT)) {
      throw new Corrupt("data key file " + file + " is damaged: it names no format", null);
    }
    try {
      return new WrappedDataKey(
          text(field(fields, "tenant")),
          KeyScope.valueOf(field(fields, "scope")),
          Integer.parseInt(field(fields, "number")),
          UUID.fromString(field(fields, "id")),
          text(field(fields, "wrapping-key")),
          Bytes.wrap(HexFormat.of().parseHex(field(fields, "wrapped"))),
          Instant.parse(field(fields, "created")));
    } catch (RuntimeException e) {
      throw new Corrupt("data key file " + file + " is damaged", e);
    }
  }

  private static String field(Map<String, String> fields, String name) {
    String value = fields.get(name);
    if (value == null) {
      throw new IllegalArgumentException(name + " is missing");
    }
    return value;
  }

  private static String hex(String text) {
    return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String text(String hex) {
    return new String(HexFormat.of().parseHex(hex), StandardCharsets.UTF_8);
  }

  // Names are hashes: a tenant id may hold characters that file systems fold or refuse.
  private static String prefixOf(String tenantId) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(tenantId.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash).substring(0, NAME_CHARACTERS) + "-";
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java platform has no SHA-256", e);
    }
  }
}
