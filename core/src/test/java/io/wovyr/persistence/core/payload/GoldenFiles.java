/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.payload;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.event.Section;
import io.wovyr.persistence.event.StateChange;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.payload.StoredPayload.Body;
import io.wovyr.persistence.sealing.spi.SealingProvider.Binding;
import io.wovyr.persistence.sealing.spi.SealingProvider.KeyScope;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/**
 * What is in the files under {@code golden/}: bytes that were stored once and must stay readable
 * for ever. {@link #main} writes files that are missing; it never writes one again.
 */
final class GoldenFiles {
  static final Binding PLACE =
      new Binding(
          "acme",
          "workflow_event",
          "payload",
          UUID.fromString("01950000-0000-7000-8000-000000000001"),
          KeyScope.DATA);

  static final Binding KEYED_PLACE =
      new Binding(
          PLACE.tenantId(),
          "activity",
          List.of(PLACE.originId().toString(), "charge"),
          "result",
          UUID.fromString("01950000-0000-7000-8000-000000000002"),
          KeyScope.DATA);

  static final UUID STAGE = UUID.fromString("01950000-0000-7000-8000-0000000000ff");

  static final Payload TEXT = Payload.text("golden ab\u0000cd");
  static final Payload JSON = Payload.json("{\"golden\":[1,2.0,\"\u00e4\"]}");

  /** Long enough to be compressed. */
  static final Payload LONG = Payload.text("golden \u00e4 ".repeat(500));

  private GoldenFiles() {}

  /** A sealer as it was when the files were written. */
  static PayloadSealer sealer() {
    return new PayloadSealer(
        Optional.of(new KeyedSealing(7)),
        PayloadCompression.STANDARD,
        PayloadSealer.Unsealed.ACCEPTED,
        new SecureRandom(),
        PayloadSealer.NO_CHUNKS);
  }

  /** The bytes of a file; a missing one is an error. */
  static Bytes read(String name) {
    String resource = "/golden/" + name;
    try (InputStream in = GoldenFiles.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new AssertionError(resource + " is missing: restore it, never write it anew");
      }
      return Bytes.wrap(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static StoredPayload outside(Body body) {
    byte[] commitment = new byte[32];
    for (int i = 0; i < 32; i++) {
      commitment[i] = (byte) (255 - i);
    }
    return new StoredPayload(
        "application/octet-stream",
        255,
        1,
        Optional.of("key-1"),
        Bytes.wrap(commitment),
        5_000_000_000L,
        body);
  }

  static List<StateChange> everyKindOfChange(StoredPayload own) {
    return List.of(
        new StateChange.Put(Section.WORKFLOW, "step", new StateChange.Value.Own(own)),
        new StateChange.Put(Section.ACTIVITIES, "charge", new StateChange.Value.EventPayload()),
        new StateChange.Put(
            Section.VARIABLES, "\u00e4 \uD83D\uDE00", new StateChange.Value.EventPayload()),
        new StateChange.Remove(Section.ACTIVE_NODES, "node"),
        new StateChange.Remove(Section.RETRIES, "charge"),
        new StateChange.Remove(Section.COMPENSATION, "x".repeat(255)),
        new StateChange.Put(Section.SCHEDULER, "timer", new StateChange.Value.Own(own)));
  }

  private static Map<String, Bytes> filesOfLayout1() {
    PayloadSealer clear = new PayloadSealer(Optional.empty(), new SecureRandom());
    StoredPayload own = clear.seal(TEXT, PLACE);
    Map<String, Bytes> files = new TreeMap<>();
    files.put("payload-1-clear.bin", own.encode());
    files.put("payload-1-clear-empty.bin", clear.seal(Payload.text(""), PLACE).encode());
    files.put("payload-1-sealed-by-test-codec.bin", sealer().seal(JSON, PLACE).encode());
    files.put("payload-1-chunked.bin", outside(new Body.Chunked(STAGE, 77)).encode());
    files.put("payload-1-external.bin", outside(new Body.External("tenant/\u00e4/1")).encode());
    files.put("state-changes-1-none.bin", StateChangeCodec.encode(List.of()));
    files.put("state-changes-1-every-kind.bin", StateChangeCodec.encode(everyKindOfChange(own)));
    files.put("payload-1-compressed-clear.bin", clear.seal(LONG, PLACE).encode());
    files.put("payload-1-compressed-sealed.bin", sealer().seal(LONG, KEYED_PLACE).encode());
    return files;
  }

  /** Writes the files that are not there, and none again; the argument is their folder. */
  public static void main(String[] arguments) throws IOException {
    Path folder = Files.createDirectories(Path.of(arguments[0]));
    for (Map.Entry<String, Bytes> file : filesOfLayout1().entrySet()) {
      Path path = folder.resolve(file.getKey());
      if (Files.notExists(path)) {
        Files.write(path, file.getValue().toByteArray());
      }
    }
  }
}
