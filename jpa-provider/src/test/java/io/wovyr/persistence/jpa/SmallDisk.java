/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.jpa;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A small file system of a test's own; only where this process may mount one. */
public record SmallDisk(Path path) implements AutoCloseable {
  /** True where {@link #of} works. */
  public static boolean isPossible() {
    return "root".equals(System.getProperty("user.name"))
        && Files.isExecutable(Path.of("/bin/mount"));
  }

  /** Mounts one of this size. */
  public static SmallDisk of(Path path, int megabytes) throws IOException {
    Files.createDirectories(path);
    run("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "tmpfs", path.toString());
    return new SmallDisk(path);
  }

  /** From now on nothing can be written to it. */
  public void readOnly() throws IOException {
    run("mount", "-o", "remount,ro", path.toString());
  }

  /** Takes room away until the file is deleted: all that there is but so much. */
  public Path ballast(int megabytesLeft) throws IOException {
    long bytes = Files.getFileStore(path).getUsableSpace() - ((long) megabytesLeft << 20);
    return Files.write(path.resolve("ballast"), new byte[(int) Math.max(0, bytes)]);
  }

  private static void run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.onExit().join().exitValue() != 0) {
      throw new IOException(String.join(" ", command) + ": " + said);
    }
  }

  @Override
  public void close() throws IOException {
    run("umount", path.toString());
  }
}
