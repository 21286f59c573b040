/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.payload;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.Rejected;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.PersistenceException.UnknownKey;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.payload.StoredPayload;
import io.wovyr.persistence.sealing.spi.SealingProvider;
import io.wovyr.persistence.sealing.spi.SealingProvider.Binding;
import io.wovyr.persistence.sealing.spi.SealingProvider.KeyScope;
import io.wovyr.persistence.sealing.spi.SealingProvider.Sealed;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;

/**
 * Makes stored payloads of plain ones and opens them again, as {@code docs/format/payload.md}
 * specifies. Thread-safe.
 *
 * <h2>Security</h2>
 *
 * <p>Each value gets a salt of its own, and a commitment that binds content type and content; salt
 * and content lie together in the sealed part. With a sealing provider nothing but the content
 * type, the length and the commitment can be seen from outside, and a value opens only under the
 * binding it was sealed with. Without one the commitment still finds damage, but hides nothing.
 */
public final class PayloadSealer {
  private static final int NEWEST_CODEC = 255;

  /** The most that sealing adds to a value, whatever the codec. */
  private static final int MOST_ADDED_BYTES = 4 << 10;

  static final ChunkReader NO_CHUNKS =
      (tenantId, body, most, where) -> {
        throw outside(where.get());
      };

  private final Optional<SealingProvider> sealing;
  private final PayloadCompression compression;
  private final Unsealed unsealed;
  private final Salts salts;
  private final ChunkReader chunks;

  /** What to do with a stored value that is not sealed, where values are sealed. */
  public enum Unsealed {
    /** Read it, unless it is a secret: the store is older than its sealing. */
    ACCEPTED,
    /** Refuse it: nobody can pass off a value of their own as one that was sealed here. */
    REFUSED
  }

  /**
   * A sealer that compresses as {@link PayloadCompression#STANDARD} says and, where it seals, reads
   * sealed values only.
   *
   * @param sealing seals values; empty: they are stored in clear
   * @param random source of salts, see {@link #newRandom()}
   */
  public PayloadSealer(Optional<SealingProvider> sealing, SecureRandom random) {
    this(sealing, PayloadCompression.STANDARD, Unsealed.REFUSED, random, NO_CHUNKS);
  }

  /**
   * A sealer.
   *
   * @param sealing seals values; empty: they are stored in clear
   * @param compression before sealing
   * @param unsealed of no meaning without {@code sealing}
   * @param random source of salts, see {@link #newRandom()}
   * @param chunks reads what lies beside its record
   */
  public PayloadSealer(
      Optional<SealingProvider> sealing,
      PayloadCompression compression,
      Unsealed unsealed,
      SecureRandom random,
      ChunkReader chunks) {
    this.sealing = sealing;
    this.compression = compression;
    this.unsealed = unsealed;
    this.salts = new Salts(random);
    this.chunks = chunks;
  }

  /**
   * The source of salts to use where none is given: the platform's DRBG (NIST SP 800-90A, Hash_DRBG
   * with SHA-256). Drawn in blocks it took 100 ns for a salt, whatever the number of threads; the
   * platform's default, which asks the kernel under a lock, took three times as long.
   */
  public static SecureRandom newRandom() {
    try {
      return SecureRandom.getInstance("DRBG");
    } catch (NoSuchAlgorithmException e) {
      return new SecureRandom();
    }
  }

  /**
   * Salts, commits to, compresses and seals a value. Two calls never give the same bytes: seal a
   * value once and send the same bytes with every try.
   *
   * @param binding where the value will be stored; needed again to open it
   * @throws Rejected when it is longer than a value may be
   * @throws UnknownKey when the data key to use is wrapped by a key that is not here
   * @throws Unavailable when the key cannot be had now
   */
  public StoredPayload seal(Payload plain, Binding binding) {
    byte[] content = plain.content().unsafeArray();
    compression.requireLength(content.length, () -> where(binding));
    Optional<byte[]> compressed =
        binding.scope() == KeyScope.SECRET ? Optional.empty() : compression.compressed(content);
    byte[] part = compressed.orElseGet(() -> behindSalt(content));
    salts.writeTo(part);
    Bytes commitment = Bytes.wrap(commitment(plain.contentType(), part, content, 0));
    Sealed sealed =
        sealing
            .map(provider -> sealedBy(provider, Bytes.wrap(part), binding))
            .orElseGet(
                () -> new Sealed(StoredPayload.UNSEALED, Optional.empty(), Bytes.wrap(part)));
    return new StoredPayload(
        plain.contentType(),
        sealed.codec(),
        compressed.isPresent() ? PayloadCompression.ZSTANDARD : StoredPayload.UNCOMPRESSED,
        sealed.keyId(),
        commitment,
        content.length,
        new StoredPayload.Body.Inline(sealed.bytes()));
  }

  /**
   * The plain value, exactly as it was given to {@link #seal}.
   *
   * @param binding the one it was sealed with
   * @throws Corrupt when its bytes were changed, cut or moved to another place
   * @throws UnsupportedVersion when it is sealed or compressed in a way not known here
   * @throws Rejected when its bytes are not in the record itself, or are more than a value may have
   * @throws UnknownKey when its key is not here, now or any more
   * @throws Unavailable when the key cannot be had now
   */
  public Payload open(StoredPayload stored, Binding binding) {
    if (stored.body() instanceof StoredPayload.Body.Unreadable unreadable) {
      throw unreadable(unreadable.problem(), binding);
    }
    compression.requireLength(stored.length(), () -> where(binding, stored));
    byte[] part =
        compression.expanded(
            stored.compression(),
            unsealed(stored, binding).unsafeArray(),
            stored.length(),
            () -> where(binding, stored));
    byte[] commitment = commitment(stored.contentType(), part, part, StoredPayload.SALT_BYTES);
    if (!MessageDigest.isEqual(commitment, stored.commitment().unsafeArray())) {
      throw new Corrupt(where(binding, stored) + " does not match its commitment", null);
    }
    try {
      return new Payload(
          stored.contentType(),
          Bytes.wrap(Arrays.copyOfRange(part, StoredPayload.SALT_BYTES, part.length)));
    } catch (InvalidInput e) {
      throw new Corrupt(where(binding, stored) + " has no valid content type", e);
    }
  }

  /**
   * True if the stored value is this one: for judging whether a repeated write is the same. A
   * stored value that cannot be opened any more (shredded, damaged, of a newer version) is not the
   * same.
   *
   * @throws Unavailable when the key cannot be had now, so that nothing can be said
   */
  public boolean sameContent(Payload plain, StoredPayload stored, Binding binding) {
    if (plain.content().size() != stored.length()
        || !plain.contentType().equals(stored.contentType())) {
      return false;
    }
    try {
      return open(stored, binding).equals(plain);
    } catch (Corrupt | UnsupportedVersion | Rejected | UnknownKey e) {
      return false;
    }
  }

  private static PersistenceException unreadable(PersistenceException problem, Binding binding) {
    String text = where(binding) + " cannot be read: " + problem.getMessage();
    return problem instanceof UnsupportedVersion
        ? new UnsupportedVersion(text)
        : new Corrupt(text, problem);
  }

  private Bytes unsealed(StoredPayload stored, Binding binding) {
    if (stored.sealing() == StoredPayload.UNSEALED) {
      requireUnsealedAllowed(binding);
      return sealedPart(stored, binding);
    }
    SealingProvider provider =
        sealing.orElseThrow(
            () ->
                new UnknownKey(
                    stored.keyId().orElse("unknown"),
                    where(binding, stored)
                        + " is sealed, and wovyr.sealing.provider is none: name its keystore"
                        + " instead"));
    Bytes part = sealedPart(stored, binding);
    return provider.open(new Sealed(stored.sealing(), stored.keyId(), part), binding);
  }

  private Bytes sealedPart(StoredPayload stored, Binding binding) {
    if (stored.body() instanceof StoredPayload.Body.Inline inline) {
      return inline.bytes();
    }
    if (stored.body() instanceof StoredPayload.Body.Chunked chunked) {
      long most = stored.length() + StoredPayload.SALT_BYTES + MOST_ADDED_BYTES;
      return chunks.read(binding.tenantId(), chunked, most, () -> where(binding, stored));
    }
    throw outside(where(binding, stored));
  }

  private static Rejected outside(String where) {
    return new Rejected(
        where + " is stored outside its record, in a way that is not supported by this version");
  }

  private void requireUnsealedAllowed(Binding binding) {
    if (sealing.isEmpty()) {
      return;
    }
    if (binding.scope() == KeyScope.SECRET) {
      throw new Corrupt(
          where(binding)
              + " is a secret and not sealed: if it was stored while wovyr.sealing.provider was"
              + " none, set that again, open it, and store it anew once values are sealed; else"
              + " somebody wrote it around the library",
          null);
    }
    if (unsealed == Unsealed.REFUSED) {
      throw new Corrupt(
          where(binding)
              + " is not sealed: if it was stored before this store was sealed, set"
              + " wovyr.sealing.unsealed to accept; else somebody wrote it around the library",
          null);
    }
  }

  private static Sealed sealedBy(SealingProvider provider, Bytes part, Binding binding) {
    Sealed sealed = provider.seal(part, binding);
    if (sealed.codec() <= StoredPayload.UNSEALED || sealed.codec() > NEWEST_CODEC) {
      throw new IllegalStateException(
          "sealing provider " + provider.name() + " answers codec " + sealed.codec());
    }
    if (sealed.bytes().size() > part.size() + MOST_ADDED_BYTES) {
      throw new IllegalStateException(
          "sealing provider " + provider.name() + " adds more than " + MOST_ADDED_BYTES + " bytes");
    }
    return sealed;
  }

  private static byte[] behindSalt(byte[] content) {
    byte[] part = new byte[Math.addExact(StoredPayload.SALT_BYTES, content.length)];
    System.arraycopy(content, 0, part, StoredPayload.SALT_BYTES, content.length);
    return part;
  }

  /** SHA-256 over salt ‖ u32 length of content type ‖ content type ‖ content. */
  private static byte[] commitment(String contentType, byte[] salt, byte[] content, int from) {
    byte[] type = contentType.getBytes(StandardCharsets.UTF_8);
    MessageDigest digest = Sha256.newDigest();
    digest.update(salt, 0, StoredPayload.SALT_BYTES);
    digest.update(
        ByteBuffer.allocate(Integer.BYTES + type.length).putInt(type.length).put(type).flip());
    digest.update(content, from, content.length - from);
    return digest.digest();
  }

  /** Names a stored value, with its data key, for messages. */
  public static String where(Binding binding, StoredPayload stored) {
    return stored
        .keyId()
        .map(id -> where(binding) + " (data key " + id + ")")
        .orElseGet(() -> where(binding));
  }

  private static String where(Binding binding) {
    return "value %s.%s of record %s"
        .formatted(binding.recordType(), binding.attributePath(), binding.originId());
  }
}
