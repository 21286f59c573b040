/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.persistence.CommitReference;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.RecordTypes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.UUID;
import java.util.zip.CRC32;

/**
 * What a {@link CommitReference} says: where the witness of a commit is. Layout 1: layout byte,
 * tenant, commit id, witness kind, and for an event its execution and sequence; then a CRC-32;
 * base64url.
 *
 * @param witness key of an event, or of the commit's marker
 */
record Reference(String tenantId, UUID commitId, Key witness) {
  private static final int LAYOUT = 1;
  private static final int EVENT = 1;
  private static final int MARKER = 2;

  static Key markerKey(UUID commitId) {
    return Key.of(RecordTypes.COMMIT_MARKER, commitId);
  }

  boolean isMarker() {
    return witness.type() == RecordTypes.COMMIT_MARKER;
  }

  /** The execution of an event witness. */
  UUID executionId() {
    return (UUID) witness.values().get(0);
  }

  /** The sequence of an event witness. */
  long sequence() {
    return (Long) witness.values().get(1);
  }

  CommitReference encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(LAYOUT);
      out.writeUTF(tenantId);
      write(out, commitId);
      out.writeByte(isMarker() ? MARKER : EVENT);
      if (!isMarker()) {
        write(out, executionId());
        out.writeLong(sequence());
      }
      CRC32 crc = new CRC32();
      crc.update(bytes.toByteArray());
      out.writeInt((int) crc.getValue());
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory cannot fail", e);
    }
    return new CommitReference(
        Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.toByteArray()));
  }

  static Reference decode(CommitReference reference) {
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(reference.token());
      if (bytes.length < 5) {
        throw new InvalidInput("commit reference is cut: give the whole token");
      }
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
      int layout = in.readUnsignedByte();
      if (layout != LAYOUT) {
        throw new InvalidInput("commit reference has the unknown layout " + layout);
      }
      CRC32 crc = new CRC32();
      crc.update(bytes, 0, bytes.length - 4);
      String tenantId = in.readUTF();
      UUID commitId = new UUID(in.readLong(), in.readLong());
      Key witness =
          in.readUnsignedByte() == EVENT
              ? Key.of(RecordTypes.EVENT, new UUID(in.readLong(), in.readLong()), in.readLong())
              : markerKey(commitId);
      if (in.readInt() != (int) crc.getValue() || in.available() > 0) {
        throw new InvalidInput("commit reference is damaged: its checksum does not match");
      }
      return new Reference(tenantId, commitId, witness);
    } catch (IOException | IllegalArgumentException e) {
      throw new InvalidInput("commit reference is damaged: give the whole token");
    }
  }

  private static void write(DataOutputStream out, UUID id) throws IOException {
    out.writeLong(id.getMostSignificantBits());
    out.writeLong(id.getLeastSignificantBits());
  }
}
