/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.wovyr.encryption.EnvelopeSealing;
import io.wovyr.encryption.key.FileDataKeyStore;
import io.wovyr.encryption.key.KeystoreKeyProvider;
import io.wovyr.encryption.key.KeystoreSettings;
import io.wovyr.encryption.key.MemoryDataKeyStore;
import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.UnknownKey;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.sealing.spi.SealingProvider;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Principal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.type.TypeReference;

class EncryptedColumnsTest {
  private static final String CANARY = "tok-9f3-CANARY";

  @TempDir Path folder;

  private String tenant = "acme";
  private ColumnEncryption.Registration registration;
  private PatientDatabase database;

  @BeforeEach
  void open() {
    EnvelopeSealing sealing =
        EnvelopeSealing.with(
                new KeystoreKeyProvider(KeystoreSettings.embedded(folder.resolve("keys.p12"))))
            .over(new FileDataKeyStore(folder.resolve("datakeys")));
    registration = ColumnEncryption.with(sealing, () -> tenant).register();
    database = new PatientDatabase(folder.resolve("patients.db"));
  }

  @AfterEach
  void close() {
    database.close();
    registration.close();
  }

  @Test
  void everyKindOfValueComesBackExactly() {
    Patient patient = new Patient();
    patient.name = "\u00e4\u0000\uD83D\uDE00";
    patient.note = "";
    patient.scan = new byte[] {0, -1, 127};
    patient.balance = new BigDecimal("2.500");
    patient.visits = Long.MIN_VALUE;
    patient.born = LocalDate.of(-44, 3, 15);
    patient.seen = Instant.parse("2026-02-03T04:05:06.987654321Z");
    patient.details =
        new LinkedHashMap<>(Map.of("a", List.of(1, "x"), "b", new BigDecimal("1.50")));
    patient.address = new Patient.Address("Main St", new BigDecimal("0.00007"));
    save(patient);

    Patient read = database.find(1);
    assertThat(read.name).isEqualTo(patient.name);
    assertThat(read.note).isEmpty();
    assertThat(read.scan).isEqualTo(patient.scan);
    assertThat(read.balance).isEqualTo(patient.balance);
    assertThat(read.visits).isEqualTo(patient.visits);
    assertThat(read.born).isEqualTo(patient.born);
    assertThat(read.seen).isEqualTo(patient.seen);
    assertThat(read.details).isEqualTo(patient.details);
    assertThat(read.address).isEqualTo(patient.address);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-0.00", "1E+400", "123456789012345678901234567890.12", "-1E-30"})
  @DisplayName("C045: decimal numbers keep value and scale")
  void decimalNumbersAreExact(String number) {
    EncryptedNumber converter = new EncryptedNumber();
    BigDecimal value = new BigDecimal(number);
    assertThat(converter.convertToEntityAttribute(converter.convertToDatabaseColumn(value)))
        .isEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1969-12-31T23:59:59.999999999Z",
        "+1000000000-12-31T23:59:59.999999999Z",
        "-1000000000-01-01T00:00:00Z"
      })
  @DisplayName("C045: instants keep their nanoseconds")
  void instantsAreExact(String text) {
    EncryptedInstant converter = new EncryptedInstant();
    Instant value = Instant.parse(text);
    assertThat(converter.convertToEntityAttribute(converter.convertToDatabaseColumn(value)))
        .isEqualTo(value);
  }

  @Test
  @DisplayName("C063: null and the empty text stay different")
  void nullStaysNull() throws Exception {
    Patient patient = new Patient();
    patient.name = "";
    save(patient);
    Patient read = database.find(1);
    assertThat(read.name).isEmpty();
    assertThat(read.note).isNull();
    assertThat(read.scan).isNull();
    assertThat(read.details).isNull();
    assertThat(database.rawValues().stream().filter(value -> value == null)).hasSize(8);
  }

  @Test
  @DisplayName("C064: the raw columns and files hold no plain text")
  void rawColumnsHoldNoPlainText() throws Exception {
    Patient patient = new Patient();
    patient.name = CANARY;
    patient.note = CANARY;
    patient.scan = CANARY.getBytes(StandardCharsets.UTF_8);
    patient.balance = new BigDecimal("987654321.5");
    patient.visits = 0x4341_4e41_5259L;
    patient.details = Map.of("key", CANARY);
    patient.address = new Patient.Address(CANARY, BigDecimal.ONE);
    save(patient);

    List<Object> values = database.rawValues();
    assertThat(values.stream().filter(value -> value instanceof byte[])).hasSize(7);
    assertThat(values.stream().filter(value -> value instanceof String)).isEmpty();
    database.close();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String text = Files.readString(file, StandardCharsets.ISO_8859_1);
        assertThat(text)
            .doesNotContain(CANARY)
            .doesNotContain(
                Base64.getEncoder()
                    .encodeToString(CANARY.getBytes(StandardCharsets.UTF_8))
                    .substring(0, 16))
            .doesNotContain("CANARY");
      }
    }
  }

  @Test
  @DisplayName("C063: reading without a change writes nothing")
  void nothingIsWrittenWithoutAChange() {
    save(everything());
    database.statistics().clear();
    database.inTransaction(entities -> entities.find(Patient.class, 1L));
    database.inTransaction(
        entities -> {
          Patient patient = entities.find(Patient.class, 1L);
          patient.name = new String(patient.name.toCharArray());
          patient.details = new LinkedHashMap<>(patient.details);
          patient.scan = patient.scan.clone();
        });
    assertThat(database.statistics().getEntityUpdateCount()).isZero();
    assertThat(database.find(1).version).isZero();
  }

  @Test
  @DisplayName("C063: a map changed in place is written once")
  void aMapChangedInPlaceIsWritten() {
    save(everything());
    database.statistics().clear();
    database.inTransaction(
        entities -> entities.find(Patient.class, 1L).details.put("added", "later"));
    assertThat(database.statistics().getEntityUpdateCount()).isOne();
    assertThat(database.find(1).details).containsEntry("added", "later");
    assertThat(database.find(1).version).isOne();
  }

  @Test
  @DisplayName("C063: bytes changed in place are noticed")
  void bytesChangedInPlaceAreWritten() {
    save(everything());
    database.inTransaction(entities -> entities.find(Patient.class, 1L).scan[0] = 99);
    assertThat(database.find(1).scan).startsWith(99);
  }

  @Test
  void anotherScaleOfTheSameNumberIsNoChangeToHibernate() {
    save(everything());
    database.statistics().clear();
    database.inTransaction(
        entities -> entities.find(Patient.class, 1L).balance = new BigDecimal("2.5"));
    assertThat(database.statistics().getEntityUpdateCount()).isZero();
    assertThat(database.find(1).balance).isEqualTo(new BigDecimal("2.50"));
  }

  @Test
  @DisplayName("C058: a value moved to another column or kind does not open")
  void valuesAreBoundToTheirColumn() throws Exception {
    save(everything());
    database.execute("update Patient set note = name");
    assertRefused(Corrupt.class);
    database.execute("update Patient set note = null, scan = name");
    assertRefused(Corrupt.class);
  }

  @Test
  void aCutValueDoesNotOpen() throws Exception {
    save(everything());
    database.execute("update Patient set name = substr(name, 1, length(name) - 1)");
    Throwable thrown = assertRefused(Corrupt.class);
    assertThat(thrown).hasMessageContaining("column.string").hasMessageContaining("data key");
  }

  @Test
  void anotherTenantDoesNotOpenIt() {
    save(everything());
    tenant = "globex";
    assertRefused(UnknownKey.class);
  }

  @Test
  void textThatCannotBeStoredExactlyIsRefused() {
    EncryptedString converter = new EncryptedString();
    assertThatThrownBy(() -> converter.convertToDatabaseColumn("x\uD83D"))
        .isInstanceOf(InvalidInput.class);
  }

  @Test
  @DisplayName("C053: data that looks like a type stays data")
  void storedDataNamesNoClass() {
    Patient patient = new Patient();
    patient.details =
        Map.of("@class", "java.net.URL", "v", List.of("javax.swing.JPanel", Map.of()));
    save(patient);
    assertThat(database.find(1).details).isEqualTo(patient.details);
  }

  @Test
  @DisplayName("C064: what cannot be written or read as JSON is not shown")
  void failuresOfJsonShowNoContent() {
    Patient.AddressConverter address = new Patient.AddressConverter();
    Patient.DetailsConverter details = new Patient.DetailsConverter();
    Map<String, Object> cyclic = new LinkedHashMap<>(Map.of("token", CANARY));
    cyclic.put("self", cyclic);
    Throwable written = catchThrowable(() -> details.convertToDatabaseColumn(cyclic));
    assertThat(written).isInstanceOf(InvalidInput.class);
    assertThat(texts(written)).doesNotContain(CANARY);
    byte[] other =
        ColumnEncryption.find()
            .seal(("[\"" + CANARY + "\"").getBytes(StandardCharsets.UTF_8), "json:patient.address");
    Throwable read = catchThrowable(() -> address.convertToEntityAttribute(other));
    assertThat(read).isInstanceOf(Corrupt.class);
    assertThat(texts(read)).doesNotContain(CANARY);
  }

  /** Values of any type, by their keys. */
  private static final class AnyConverter extends EncryptedJson<Map<Object, Object>> {
    AnyConverter() {
      super(new TypeReference<>() {}, "any");
    }
  }

  /** Jackson writes what has a name, and knows nothing to make of it. */
  private static final class NamedConverter extends EncryptedJson<Principal> {
    NamedConverter() {
      super(Principal.class, "named");
    }
  }

  @Test
  @DisplayName("C046: nothing is written that could not be read again")
  void jsonThatCouldNotBeReadAgainIsRefused() {
    Map<Object, Object> twice = new LinkedHashMap<>();
    twice.put(1, CANARY);
    twice.put("1", CANARY);
    Map<Object, Object> half = Map.of("\ud800", CANARY);
    for (Map<Object, Object> map : List.of(twice, half)) {
      Throwable refused = catchThrowable(() -> new AnyConverter().convertToDatabaseColumn(map));
      assertThat(refused).isInstanceOf(InvalidInput.class).hasMessageContaining("not stored");
      assertThat(texts(refused)).doesNotContain(CANARY);
    }
    Throwable refused =
        catchThrowable(() -> new NamedConverter().convertToDatabaseColumn(() -> CANARY));
    assertThat(refused).isInstanceOf(InvalidInput.class).hasMessageContaining("not stored");
    assertThat(texts(refused)).doesNotContain(CANARY);
  }

  @Test
  @DisplayName("C045: numbers, names and texts of any length come back")
  void jsonOfAnyLengthComesBack() {
    AnyConverter converter = new AnyConverter();
    for (Map<Object, Object> map :
        List.<Map<Object, Object>>of(
            Map.of("number", BigInteger.TEN.pow(20_000)),
            Map.of("decimal", new BigDecimal(BigInteger.TEN.pow(2_000).add(BigInteger.ONE), 1_500)),
            Map.of("n".repeat(100_000), "t".repeat(200_000)))) {
      byte[] stored = converter.convertToDatabaseColumn(map);
      assertThat(converter.convertToEntityAttribute(stored)).isEqualTo(map);
    }
  }

  @Test
  void aSecondRegistrationIsRefused() {
    ColumnEncryption other =
        ColumnEncryption.with(
            EnvelopeSealing.with(
                    new KeystoreKeyProvider(KeystoreSettings.embedded(folder.resolve("k.p12"))))
                .over(new MemoryDataKeyStore()));
    assertThatThrownBy(other::register).isInstanceOf(IllegalStateException.class);
  }

  private Throwable assertRefused(Class<? extends Throwable> type) {
    Throwable thrown = catchThrowable(() -> database.find(1));
    assertThat(thrown).isNotNull();
    Throwable cause = thrown;
    while (cause != null && !type.isInstance(cause)) {
      cause = cause.getCause();
    }
    assertThat(cause).isInstanceOf(type);
    return cause;
  }

  private void save(Patient patient) {
    patient.id = 1;
    database.inTransaction(entities -> entities.persist(patient));
  }

  private static Patient everything() {
    Patient patient = new Patient();
    patient.name = "Ada";
    patient.note = "well";
    patient.scan = new byte[] {1, 2, 3};
    patient.balance = new BigDecimal("2.50");
    patient.visits = 3L;
    patient.born = LocalDate.of(1815, 12, 10);
    patient.seen = Instant.EPOCH;
    patient.details = new LinkedHashMap<>(Map.of("a", 1));
    patient.address = new Patient.Address("Main St", BigDecimal.TEN);
    return patient;
  }

  private static String texts(Throwable thrown) {
    StringBuilder all = new StringBuilder();
    for (Throwable one = thrown; one != null; one = one.getCause()) {
      all.append(one.getMessage()).append('\n');
    }
    return all.toString();
  }

  @Test
  @DisplayName("C058: what another provider sealed names its codec and key, and opens by it only")
  void anotherProvidersValuesNameTheirCodecAndKey() {
    SealingProvider turning =
        new SealingProvider() {
          @Override
          public String name() {
            return "turning";
          }

          @Override
          public Sealed seal(Bytes plain, Binding binding) {
            return new Sealed(240, Optional.of("key-\u00e4"), turned(plain));
          }

          @Override
          public Bytes open(Sealed sealed, Binding binding) {
            assertThat(sealed.codec()).isEqualTo(240);
            assertThat(sealed.keyId()).contains("key-\u00e4");
            return turned(sealed.bytes());
          }

          private static Bytes turned(Bytes bytes) {
            byte[] turned = bytes.toByteArray();
            for (int i = 0; i < turned.length; i++) {
              turned[i] ^= 0x55;
            }
            return Bytes.wrap(turned);
          }
        };
    ColumnEncryption other = ColumnEncryption.with(turning);
    byte[] plain = CANARY.getBytes(StandardCharsets.UTF_8);
    byte[] stored = other.seal(plain, "string");

    assertThat(stored).startsWith(0, 240);
    assertThat(other.open(stored, "string")).isEqualTo(plain);
    ColumnEncryption envelope =
        ColumnEncryption.with(
            EnvelopeSealing.with(
                new KeystoreKeyProvider(KeystoreSettings.embedded(folder.resolve("o.p12")))));
    assertThatThrownBy(() -> envelope.open(stored, "string"))
        .isInstanceOf(UnsupportedVersion.class)
        .hasMessageContaining("codec 240");
    for (int length = 1; length < 10; length++) {
      byte[] cut = Arrays.copyOf(stored, length);
      assertThatThrownBy(() -> other.open(cut, "string")).isInstanceOf(Corrupt.class);
    }
  }
}
