/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.cli;

import io.wovyr.encryption.EnvelopeSealingFactory;
import io.wovyr.encryption.key.KeystoreSettings;
import io.wovyr.persistence.Persistence;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.Role;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.secret.SecretRecord;
import io.wovyr.persistence.secret.SecretRef;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Stores a secret; its value never stands on the command line. */
@Command(
    name = "put",
    description = {
      "Stores a new version of a secret. The value comes from standard input, where one line",
      "end at its end is left out, from what is typed unseen, or from a file as it is: never",
      "from the command line, which others can read."
    })
final class SecretPutCommand extends StoreCommand implements Changing {
  static final String WHERE_FROM =
      "the value is read from standard input, or with --file from a file";

  private static final int MOST = 1 << 20;

  @Parameters(paramLabel = "NAME", description = "Its name.")
  private String name = "";

  @Option(names = "--file", paramLabel = "PATH", description = "Take the value from this file.")
  private @Nullable String file;

  @Override
  ExitCode run() {
    if (!settings().get("wovyr.sealing.provider", "").equals("none")
        && EnvelopeSealingFactory.keys(settings().library()).isEmpty()) {
      throw new InvalidInput(
          "the secret would be stored in clear: say where the keystore is, "
              + KeystoreSettings.PATH);
    }
    byte[] value = value();
    try {
      if (value.length == 0) {
        throw new InvalidInput("the value is empty: give it on standard input, or --file PATH");
      }
      if (value.length > MOST) {
        throw new InvalidInput("the value is longer than " + Human.size(MOST));
      }
      try (Persistence persistence = open()) {
        SecretRef stored =
            RoleCaller.as(Role.SECURITY_OFFICER, persistence, tenant())
                .secrets()
                .put(name, Payload.of(contentType(value), value))
                .orThrow()
                .records(SecretRecord.class)
                .get(0)
                .ref();
        return answer(new Stored(stored, again("secret list")));
      }
    } finally {
      Arrays.fill(value, (byte) 0);
    }
  }

  private byte[] value() {
    if (file != null) {
      return InputFile.bytes(console().directory(), file);
    }
    return Terminal.get().map(SecretPutCommand::typed).orElseGet(SecretPutCommand::piped);
  }

  private static byte[] piped() {
    try {
      return withoutLineEnd(System.in.readNBytes(MOST + 2));
    } catch (IOException e) {
      throw new InvalidInput("standard input cannot be read: give --file PATH");
    }
  }

  private static byte[] typed(java.io.Console terminal) {
    char[] typed = terminal.readPassword("Value: ");
    if (typed == null) {
      return new byte[0];
    }
    ByteBuffer bytes = StandardCharsets.UTF_8.encode(CharBuffer.wrap(typed));
    Arrays.fill(typed, ' ');
    byte[] value = new byte[bytes.remaining()];
    bytes.get(value);
    return value;
  }

  private static byte[] withoutLineEnd(byte[] bytes) {
    int end = bytes.length;
    if (end > 0 && bytes[end - 1] == '\n') {
      end--;
      if (end > 0 && bytes[end - 1] == '\r') {
        end--;
      }
    }
    return Arrays.copyOf(bytes, end);
  }

  private static String contentType(byte[] value) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value));
      return "text/plain;charset=utf-8";
    } catch (CharacterCodingException e) {
      return "application/octet-stream";
    }
  }

  private record Stored(SecretRef secret, String next) implements Answer {
    @Override
    public void text(PrintStream out) {
      out.println("stored " + Human.oneLine(secret.toString()) + "; all of them: " + next);
    }

    @Override
    public JsonObject json() {
      return SecretListCommand.json(secret);
    }
  }
}
