/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.wovyr.encryption.key.MemoryDataKeyStore;
import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.OutcomeUnknown;
import io.wovyr.persistence.PersistenceException.Unavailable;
import io.wovyr.persistence.PersistenceException.UnknownKey;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.sealing.spi.DataKeyStore;
import io.wovyr.persistence.sealing.spi.SealingProvider.Binding;
import io.wovyr.persistence.sealing.spi.SealingProvider.KeyScope;
import io.wovyr.persistence.sealing.spi.SealingProvider.Sealed;
import io.wovyr.persistence.sealing.spi.WrappedDataKey;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class EnvelopeSealingTest {
  private static final UUID ORIGIN = UUID.fromString("01950000-0000-7000-8000-000000000001");
  private static final Binding PLACE =
      new Binding("acme", "workflow_event", "payload", ORIGIN, KeyScope.DATA);
  private static final String CANARY = "tok-9f3-CANARY";
  private static final Bytes SECRET = Bytes.utf8(CANARY);

  private final OpenKeyProvider keys = new OpenKeyProvider();
  private final MemoryDataKeyStore store = new MemoryDataKeyStore();
  private final EnvelopeSealing sealing = EnvelopeSealing.with(keys).over(store);

  @Test
  void opensInItsPlaceWhatItSealed() {
    for (int length : new int[] {0, 1, 15, 16, 200, 70_000}) {
      Bytes plain = Bytes.wrap(new byte[length]);
      Sealed sealed = sealing.seal(plain, PLACE);
      assertThat(sealed.codec()).isEqualTo(EnvelopeSealing.CODEC);
      assertThat(sealed.bytes().size()).isEqualTo(length + 61);
      assertThat(sealing.open(sealed, PLACE)).isEqualTo(plain);
    }
  }

  @Test
  void anotherProcessWithTheSameKeysOpensIt() {
    Sealed sealed = sealing.seal(SECRET, PLACE);
    assertThat(EnvelopeSealing.with(keys).over(store).open(sealed, PLACE)).isEqualTo(SECRET);
  }

  @Test
  void bouncyCastleOpensItFromTheDocumentAlone() {
    Sealed sealed = sealing.seal(SECRET, PLACE);
    byte[] bytes = sealed.bytes().toByteArray();
    byte[] dataKey = store.list("acme").get(0).wrapped().toByteArray();
    byte[] associated =
        HexFormat.of()
            .parseHex(
                HexFormat.of().formatHex(bytes, 0, 33)
                    + "01000461636d65000e776f726b666c6f775f6576656e7400077061796c6f6164"
                    + "01950000000070008000000000000001");
    byte[] key = BouncyGcm.workingKey(dataKey, Arrays.copyOfRange(bytes, 17, 33));
    byte[] nonce = Arrays.copyOfRange(bytes, 33, 45);
    byte[] rest = Arrays.copyOfRange(bytes, 45, bytes.length);
    assertThat(BouncyGcm.open(key, nonce, rest, associated)).isEqualTo(SECRET.toByteArray());
  }

  @Test
  @DisplayName("C058: a value moved to another record, attribute, type or scope does not open")
  void doesNotOpenElsewhere() {
    Sealed sealed = sealing.seal(SECRET, PLACE);
    UUID other = UUID.fromString("01950000-0000-7000-8000-000000000002");
    for (Binding elsewhere :
        List.of(
            new Binding("acme", "workflow_event", "payload", other, KeyScope.DATA),
            new Binding("acme", "workflow_event", "changes[0]", ORIGIN, KeyScope.DATA),
            new Binding("acme", "activity", "payload", ORIGIN, KeyScope.DATA))) {
      assertRefused(Corrupt.class, sealed, elsewhere);
    }
  }

  @Test
  @DisplayName("C058: a value moved to another tenant or scope does not open")
  void doesNotOpenForAnotherTenantOrScope() {
    Sealed sealed = sealing.seal(SECRET, PLACE);
    Binding globex = new Binding("globex", "workflow_event", "payload", ORIGIN, KeyScope.DATA);
    Binding secret = new Binding("acme", "workflow_event", "payload", ORIGIN, KeyScope.SECRET);
    for (Binding elsewhere : List.of(globex, secret)) {
      sealing.seal(SECRET, elsewhere);
      assertRefused(UnknownKey.class, sealed, elsewhere);
      assertThatThrownBy(() -> sealing.open(sealed, elsewhere))
          .hasMessageContaining("is not in the store as one of this tenant");
    }
  }

  @Test
  @DisplayName("C058: neither does it where someone moved the data key along")
  void doesNotOpenForATenantThatWasGivenItsKey() {
    Sealed sealed = sealing.seal(SECRET, PLACE);
    WrappedDataKey key = store.list("acme").get(0);
    for (KeyScope scope : KeyScope.values()) {
      store.create(
          new WrappedDataKey(
              "globex", scope, 1, key.id(), key.wrappingKeyId(), key.wrapped(), key.createdAt()));
      Binding globex = new Binding("globex", "workflow_event", "payload", ORIGIN, scope);
      assertRefused(Corrupt.class, sealed, globex);
    }
  }

  @Test
  @DisplayName("C058: 'ab' + 'c' and 'a' + 'bc' give different associated data")
  void placesAreToldApartWhereverOneTextEnds() {
    List<Binding> places =
        List.of(
            new Binding("acme", "ab", "c", ORIGIN, KeyScope.DATA),
            new Binding("acme", "a", "bc", ORIGIN, KeyScope.DATA),
            new Binding("acme", "abc", "", ORIGIN, KeyScope.DATA),
            new Binding("acme", "", "abc", ORIGIN, KeyScope.DATA),
            new Binding("acme", "\u0000\u0001a", "bc", ORIGIN, KeyScope.DATA));
    for (Binding one : places) {
      Sealed sealed = sealing.seal(SECRET, one);
      for (Binding other : places) {
        if (!one.equals(other)) {
          assertRefused(Corrupt.class, sealed, other);
        }
      }
    }
  }

  @Test
  void placesThatOnlyLookAlikeInUtf8AreRefused() {
    Binding broken = new Binding("acme", "type", "path\uD83D", ORIGIN, KeyScope.DATA);
    assertThatThrownBy(() -> sealing.seal(SECRET, broken))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("unpaired surrogate");
    Binding whole = new Binding("acme", "type", "path\uD83D\uDE00", ORIGIN, KeyScope.DATA);
    assertThat(sealing.open(sealing.seal(SECRET, whole), whole)).isEqualTo(SECRET);
  }

  private static Binding keyed(String... key) {
    return new Binding("acme", "activity", List.of(key), "result", ORIGIN, KeyScope.DATA);
  }

  @Test
  @DisplayName("C058: a value moved with its record's id to a record of another key does not open")
  void aValueIsBoundToTheKeyOfItsRecord() {
    List<Binding> places =
        List.of(
            keyed("ab", "c"), keyed("a", "bc"), keyed("abc"), keyed("c", "ab"), keyed("ab", ""));
    for (Binding one : places) {
      Sealed sealed = sealing.seal(SECRET, one);
      assertThat(sealed.bytes().toByteArray()[0]).isEqualTo((byte) 2);
      assertThat(sealing.open(sealed, one)).isEqualTo(SECRET);
      for (Binding other : places) {
        if (!one.equals(other)) {
          assertRefused(Corrupt.class, sealed, other);
        }
      }
      assertRefused(Corrupt.class, sealed, keyed());
    }
  }

  @Test
  @DisplayName("C058: a value bound to a key is not passed off as one of before that had none")
  void aValueIsNotTakenBackToTheVersionWithoutKeys() {
    Sealed sealed = sealing.seal(SECRET, keyed("execution", "charge"));
    byte[] older = sealed.bytes().toByteArray();
    older[0] = 1;
    for (Binding place : List.of(keyed("execution", "charge"), keyed("execution", "ship"))) {
      assertRefused(Corrupt.class, new Sealed(1, sealed.keyId(), Bytes.wrap(older)), place);
    }
  }

  @Test
  void valuesOfBeforeOpenWhateverTheKeyOfTheirRecord() {
    Sealed sealed = sealing.seal(SECRET, keyed());
    assertThat(sealed.bytes().toByteArray()[0]).isEqualTo((byte) 1);
    assertThat(sealing.open(sealed, keyed("execution", "charge"))).isEqualTo(SECRET);
  }

  @Test
  void anyChangedBitIsNoticed() {
    Sealed sealed = sealing.seal(SECRET, PLACE);
    for (int bit = 0; bit < sealed.bytes().size() * 8; bit++) {
      byte[] changed = sealed.bytes().toByteArray();
      changed[bit / 8] ^= (byte) (1 << (bit % 8));
      Sealed tampered = new Sealed(sealed.codec(), Optional.empty(), Bytes.wrap(changed));
      assertThatThrownBy(() -> sealing.open(tampered, PLACE))
          .isInstanceOfAny(Corrupt.class, UnsupportedVersion.class, UnknownKey.class);
    }
  }

  @Test
  void anyCutIsNoticed() {
    Sealed sealed = sealing.seal(SECRET, PLACE);
    for (int length = 0; length < sealed.bytes().size(); length++) {
      byte[] cut = Arrays.copyOf(sealed.bytes().toByteArray(), length);
      assertRefused(Corrupt.class, new Sealed(1, sealed.keyId(), Bytes.wrap(cut)), PLACE);
    }
    byte[] longer = Arrays.copyOf(sealed.bytes().toByteArray(), sealed.bytes().size() + 1);
    assertRefused(Corrupt.class, new Sealed(1, sealed.keyId(), Bytes.wrap(longer)), PLACE);
  }

  @Test
  void anotherVersionByteIsNeverReadAsThisOne() {
    Sealed sealed = sealing.seal(SECRET, PLACE);
    byte[] newer = sealed.bytes().toByteArray();
    newer[0] = 3;
    assertRefused(
        UnsupportedVersion.class, new Sealed(1, sealed.keyId(), Bytes.wrap(newer)), PLACE);
    byte[] older = sealed.bytes().toByteArray();
    older[0] = 0;
    assertRefused(Corrupt.class, new Sealed(1, sealed.keyId(), Bytes.wrap(older)), PLACE);
    byte[] passedOff = sealed.bytes().toByteArray();
    passedOff[0] = 2;
    assertRefused(Corrupt.class, new Sealed(1, sealed.keyId(), Bytes.wrap(passedOff)), PLACE);
    assertRefused(UnsupportedVersion.class, new Sealed(2, sealed.keyId(), sealed.bytes()), PLACE);
  }

  @Test
  void anEnvelopeThatNamesAnotherKeyIsRefused() {
    Sealed sealed = sealing.seal(SECRET, PLACE);
    Sealed renamed = new Sealed(1, Optional.of(UUID.randomUUID().toString()), sealed.bytes());
    assertRefused(Corrupt.class, renamed, PLACE);
  }

  @Test
  @DisplayName("C060: a missing key is called missing, by name, and is not called damage")
  void aMissingKeyIsNamed() {
    Sealed sealed = sealing.seal(SECRET, PLACE);
    EnvelopeSealing stranger = EnvelopeSealing.with(keys).over(new MemoryDataKeyStore());
    Throwable thrown = catchThrowable(() -> stranger.open(sealed, PLACE));
    assertThat(thrown).isInstanceOf(UnknownKey.class);
    assertThat(((UnknownKey) thrown).keyId()).isEqualTo(sealed.keyId().orElseThrow());
    assertThat(thrown).hasMessageContaining(sealed.keyId().orElseThrow()).hasNoCause();
  }

  @Test
  void keysThatCannotBeHadNowAreNoDamage() {
    Sealed sealed = sealing.seal(SECRET, PLACE);
    keys.lose();
    EnvelopeSealing later = EnvelopeSealing.with(keys).over(store);
    assertThatThrownBy(() -> later.open(sealed, PLACE)).isInstanceOf(Unavailable.class);
    assertThatThrownBy(() -> later.seal(SECRET, PLACE)).isInstanceOf(Unavailable.class);
    assertThat(sealing.open(sealed, PLACE)).isEqualTo(SECRET);
  }

  @Test
  void secretsHaveADataKeyOfTheirOwn() {
    sealing.seal(SECRET, PLACE);
    sealing.seal(SECRET, new Binding("acme", "secret", "value", ORIGIN, KeyScope.SECRET));
    assertThat(store.list("acme"))
        .extracting(WrappedDataKey::scope)
        .containsExactly(KeyScope.DATA, KeyScope.SECRET);
    assertThat(store.list("acme")).extracting(WrappedDataKey::id).doesNotHaveDuplicates();
  }

  @Test
  void aNewerDataKeyIsUsedForNewValuesAndOldOnesStayReadable() {
    EnvelopeSealing quick =
        EnvelopeSealing.with(
            EnvelopeSealing.Settings.standard(keys).withKept(100, Duration.ZERO), store);
    Sealed old = quick.seal(SECRET, PLACE);
    WrappedDataKey second =
        new WrappedDataKey(
            "acme",
            KeyScope.DATA,
            2,
            UUID.randomUUID(),
            "open-1",
            Bytes.wrap(new byte[32]),
            Instant.EPOCH);
    assertThat(store.create(second)).isTrue();
    Sealed fresh = quick.seal(SECRET, PLACE);
    assertThat(fresh.keyId()).contains(second.id().toString());
    assertThat(quick.open(old, PLACE)).isEqualTo(SECRET);
    assertThat(quick.open(fresh, PLACE)).isEqualTo(SECRET);
  }

  @Test
  @DisplayName("C057: 100,000 seals of one value by 8 threads and two processes: no nonce twice")
  void noNonceIsUsedTwiceUnderAKey() throws Exception {
    EnvelopeSealing restarted = EnvelopeSealing.with(keys).over(store);
    Set<ByteBuffer> seen = ConcurrentHashMap.newKeySet();
    Set<ByteBuffer> ciphertexts = ConcurrentHashMap.newKeySet();
    inParallel(
        8,
        number -> {
          EnvelopeSealing own = number % 2 == 0 ? sealing : restarted;
          for (int i = 0; i < 12_500; i++) {
            byte[] bytes = own.seal(SECRET, PLACE).bytes().unsafeArray();
            seen.add(ByteBuffer.wrap(bytes, 17, 28));
            ciphertexts.add(ByteBuffer.wrap(bytes, 45, bytes.length - 45));
          }
          return null;
        });
    assertThat(seen).hasSize(100_000);
    assertThat(ciphertexts).hasSize(100_000);
    assertThat(store.list("acme")).hasSize(1);
  }

  @Test
  @DisplayName("C057: at the limit of uses a new working key is derived, by many threads at once")
  void workingKeysAreRenewedBeforeTheirLimit() throws Exception {
    EnvelopeSealing limited =
        EnvelopeSealing.with(
            EnvelopeSealing.Settings.standard(keys).withLimit(new WorkingKey.Limit(100, 1 << 20)),
            store);
    List<Sealed> all = new ArrayList<>();
    for (List<Sealed> some :
        inParallel(
            4,
            number -> {
              List<Sealed> own = new ArrayList<>();
              for (int i = 0; i < 1_000; i++) {
                own.add(limited.seal(SECRET, PLACE));
              }
              return own;
            })) {
      all.addAll(some);
    }
    var usesBySalt = new ConcurrentHashMap<ByteBuffer, Set<Long>>();
    for (Sealed sealed : all) {
      ByteBuffer bytes = sealed.bytes().asReadOnlyBuffer();
      long use = bytes.getLong(37);
      assertThat(use).isBetween(0L, 99L);
      assertThat(
              usesBySalt
                  .computeIfAbsent(bytes.slice(17, 16), salt -> ConcurrentHashMap.newKeySet())
                  .add(use))
          .isTrue();
      assertThat(limited.open(sealed, PLACE)).isEqualTo(SECRET);
    }
    assertThat(usesBySalt).hasSizeBetween(40, 44);
  }

  @Test
  @DisplayName("C057: at the limit of bytes too")
  void workingKeysAreRenewedByVolume() {
    EnvelopeSealing limited =
        EnvelopeSealing.with(
            EnvelopeSealing.Settings.standard(keys).withLimit(new WorkingKey.Limit(1_000, 100)),
            store);
    Bytes plain = Bytes.wrap(new byte[16 * 49]);
    Set<ByteBuffer> salts = ConcurrentHashMap.newKeySet();
    for (int i = 0; i < 10; i++) {
      salts.add(limited.seal(plain, PLACE).bytes().asReadOnlyBuffer().slice(17, 16));
    }
    assertThat(salts).hasSize(5);
  }

  @Test
  void processesThatMakeTheFirstKeyAtOnceAllUseTheOneThatWon() throws Exception {
    List<Sealed> sealed =
        inParallel(8, number -> EnvelopeSealing.with(keys).over(store).seal(SECRET, PLACE));
    assertThat(store.list("acme")).hasSize(1);
    assertThat(sealed)
        .extracting(Sealed::keyId)
        .containsOnly(Optional.of(store.list("acme").get(0).id().toString()));
    for (Sealed one : sealed) {
      assertThat(sealing.open(one, PLACE)).isEqualTo(SECRET);
    }
  }

  @Test
  void aFirstKeyWhoseStorageIsNotKnownIsLookedUp() {
    DataKeyStore unsure =
        new FaultyStore(store) {
          @Override
          public boolean create(WrappedDataKey key) {
            store.create(key);
            throw new OutcomeUnknown("connection lost", null);
          }
        };
    Sealed sealed = EnvelopeSealing.with(keys).over(unsure).seal(SECRET, PLACE);
    assertThat(sealing.open(sealed, PLACE)).isEqualTo(SECRET);
  }

  @Test
  void nothingIsSealedUnderAKeyThatWasNotStored() {
    DataKeyStore broken =
        new FaultyStore(store) {
          @Override
          public boolean create(WrappedDataKey key) {
            throw new OutcomeUnknown("connection lost", null);
          }
        };
    assertThatThrownBy(() -> EnvelopeSealing.with(keys).over(broken).seal(SECRET, PLACE))
        .isInstanceOf(Unavailable.class);
    assertThat(store.isEmpty()).isTrue();
  }

  @Test
  void dataKeysAreUnwrappedOnceAndNotForEachValue() {
    for (int i = 0; i < 100; i++) {
      assertThat(sealing.open(sealing.seal(SECRET, PLACE), PLACE)).isEqualTo(SECRET);
    }
    assertThat(keys.unwrapped).hasValue(1);
  }

  private void assertRefused(
      Class<? extends PersistenceException> type, Sealed sealed, Binding place) {
    Throwable thrown = catchThrowable(() -> sealing.open(sealed, place));
    assertThat(thrown).isInstanceOf(type);
    assertThat(thrown)
        .hasMessageContaining(place.recordType())
        .hasMessageContaining(place.attributePath())
        .hasMessageContaining(place.originId().toString())
        .hasMessageContaining(sealed.keyId().orElse(""));
    for (Throwable one = thrown; one != null; one = one.getCause()) {
      assertThat(String.valueOf(one.getMessage()))
          .doesNotContain(CANARY)
          .doesNotContain("acme")
          .doesNotContain("globex");
    }
  }

  private static <T> List<T> inParallel(int threads, Task<T> task)
      throws InterruptedException, ExecutionException {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      CyclicBarrier start = new CyclicBarrier(threads);
      List<Callable<T>> tasks = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int number = i;
        tasks.add(
            () -> {
              start.await();
              return task.run(number);
            });
      }
      List<T> results = new ArrayList<>();
      for (Future<T> result : pool.invokeAll(tasks)) {
        results.add(result.get());
      }
      return results;
    } finally {
      pool.shutdownNow();
    }
  }

  private interface Task<T> {
    T run(int number) throws Exception;
  }

  /** A store whose writes go wrong. */
  private abstract static class FaultyStore implements DataKeyStore {
    private final DataKeyStore behind;

    FaultyStore(DataKeyStore behind) {
      this.behind = behind;
    }

    @Override
    public List<WrappedDataKey> list(String tenantId) {
      return behind.list(tenantId);
    }

    @Override
    public boolean isEmpty() {
      return behind.isEmpty();
    }
  }
}
