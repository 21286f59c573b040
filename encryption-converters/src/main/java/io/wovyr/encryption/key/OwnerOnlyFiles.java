/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption.key;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/**
 * Files that only their owner may read, written whole or not at all: of any number of processes
 * that create one at once, exactly one wins, and nobody ever sees half of it. Stateless.
 */
final class OwnerOnlyFiles {
  private static final Set<PosixFilePermission> OTHERS =
      EnumSet.complementOf(
          EnumSet.of(
              PosixFilePermission.OWNER_READ,
              PosixFilePermission.OWNER_WRITE,
              PosixFilePermission.OWNER_EXECUTE));

  private OwnerOnlyFiles() {}

  /**
   * Creates the file with this content, durably.
   *
   * @return false when it is there already; it was left as it is
   */
  static boolean create(Path file, byte[] content) throws IOException {
    Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent(), "a file has a folder");
    Files.createDirectories(folder);
    // Where permissions exist, a temporary file has those of its owner only.
    Path draft = Files.createTempFile(folder, ".wovyr-", ".tmp");
    try {
      try (FileChannel channel = FileChannel.open(draft, StandardOpenOption.WRITE)) {
        ByteBuffer rest = ByteBuffer.wrap(content);
        while (rest.hasRemaining()) {
          channel.write(rest);
        }
        channel.force(true);
      }
      Files.createLink(file, draft);
      syncFolder(folder);
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  /** True if others than the owner may do something with the file. */
  static boolean isOpenToOthers(Path file) throws IOException {
    if (!Files.getFileStore(file).supportsFileAttributeView("posix")) {
      return false;
    }
    return Files.getPosixFilePermissions(file).stream().anyMatch(OTHERS::contains);
  }

  private static void syncFolder(Path folder) {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException e) {
      // Not every system opens folders; there the file's own force has to do.
      return;
    }
  }
}
