/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.encryption.key.KeystoreKeyProvider;
import io.wovyr.encryption.key.KeystoreSettings;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Makes a keystore. */
@Command(
    name = "create",
    description = {
      "Makes a keystore with one fresh key, and beside it a file with its password, both",
      "readable by their owner only. Never writes over one. Without keystore and password",
      "nothing that is sealed by them can ever be read: keep copies apart from the data."
    })
final class KeysCreateCommand extends StoreCommand implements Changing {
  @Parameters(paramLabel = "PATH", description = "The file to make; *.bcfks for BCFKS.")
  private Path path = Path.of("");

  @Override
  ExitCode run() {
    if (path.toString().isBlank()) {
      throw new InvalidInput("PATH is empty: give the file to make, such as keys.p12");
    }
    KeystoreSettings keystore = KeystoreSettings.embedded(path);
    if (Files.exists(path)) {
      throw new InvalidInput(path + " is there already: it is left as it is");
    }
    Path directory = path.toAbsolutePath().getParent();
    boolean missing = directory != null && !Files.exists(directory);
    new KeystoreKeyProvider(keystore).prepare(true);
    if (missing) {
      console().error().println("made the directory " + directory);
    }
    return answer(new Made(path.toAbsolutePath(), keystore.password().toString()));
  }

  private record Made(Path keystore, String password) implements Answer {
    @Override
    public void text(PrintStream out) {
      out.println("made the keystore " + keystore);
      out.println("its password: " + password);
      out.println("use it: " + KeystoreSettings.PATH + "=" + keystore);
    }

    @Override
    public JsonObject json() {
      return new JsonObject()
          .put("keystore", keystore)
          .put("password", password)
          .put("setting", KeystoreSettings.PATH);
    }
  }
}
