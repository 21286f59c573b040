/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What people are told when the file system refuses. */
class FileReasonsTest {
  private static final String PATH = "/somewhere/x.db.migrate.lock";

  @Test
  void everyFailureWhoseMessageIsItsPathAloneIsGivenItsReason() {
    for (IOException bare :
        List.of(
            new AccessDeniedException(PATH),
            new NoSuchFileException(PATH),
            new FileAlreadyExistsException(PATH),
            new NotDirectoryException(PATH),
            new DirectoryNotEmptyException(PATH),
            new FileSystemException(PATH))) {
      assertThat(bare).hasMessage(PATH);
      assertThat(FileReasons.of(bare)).doesNotContain(PATH).isNotBlank();
      assertThat(FileReasons.withPath(bare)).isEqualTo(FileReasons.of(bare) + " (" + PATH + ")");
    }
    assertThat(FileReasons.of(new AccessDeniedException(PATH))).isEqualTo("permission denied");
    assertThat(FileReasons.of(new DirectoryNotEmptyException(PATH))).isEqualTo("it is not empty");
  }

  @Test
  void whatTheSystemSaidStaysAsItIs() {
    FileSystemException told = new FileSystemException(PATH, null, "Read-only file system");
    assertThat(FileReasons.withPath(told)).isEqualTo("Read-only file system (" + PATH + ")");
    assertThat(FileReasons.withPath(new IOException("Is a directory"))).isEqualTo("Is a directory");
    assertThat(FileReasons.of(new IOException())).isEqualTo("an input/output error");
  }
}
