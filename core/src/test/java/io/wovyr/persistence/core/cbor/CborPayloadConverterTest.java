/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.cbor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.Bytes;
import io.wovyr.persistence.PersistenceException.Corrupt;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.payload.Payload;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.DayOfWeek;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CborPayloadConverterTest {
  private static final CborPayloadConverter CONVERTER = Shop.types().build();

  private static @Nullable Object restored(@Nullable Object value) {
    return CONVERTER.toValue(CONVERTER.toPayload(value));
  }

  private static void restoresAsItIs(@Nullable Object value) {
    assertThat(Shown.of(restored(value))).isEqualTo(Shown.of(value));
  }

  private static Payload cbor(String hex) {
    return new Payload(
        CborPayloadConverter.CONTENT_TYPE, Bytes.copyOf(HexFormat.of().parseHex(hex)));
  }

  static Stream<String> goldenNames() {
    return GoldenValues.all().keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("goldenNames")
  void everyKindOfValueComesBackAsItWas(String name) {
    restoresAsItIs(GoldenValues.all().get(name));
  }

  // What was reported of others.

  @Test
  @DisplayName("C043: every number keeps its class")
  void numbersKeepTheirClass() {
    Map<String, Object> variables = new LinkedHashMap<>();
    variables.put("a", 6L);
    variables.put("b", 3_000_000_000L);
    variables.put("c", (short) 1);
    variables.put("d", (byte) 2);
    variables.put("e", 1.0f);
    variables.put("f", 1.0d);
    variables.put("g", List.of(1L, 2L));
    variables.put("h", new int[] {1});
    Map<?, ?> restored = (Map<?, ?>) Objects.requireNonNull(restored(variables));
    variables.forEach(
        (key, value) -> {
          Object back = Objects.requireNonNull(restored.get(key));
          if (!(value instanceof List)) {
            assertThat(back.getClass()).as(key).isEqualTo(value.getClass());
          }
          assertThat(back).as(key).isEqualTo(value);
        });
  }

  @Test
  @DisplayName("C045: decimals keep value and scale, times keep nanoseconds, offset and zone")
  void decimalsAndTimesAreExact() {
    for (String golden : List.of("decimals", "times")) {
      assertThat(restored(GoldenValues.all().get(golden)))
          .isEqualTo(GoldenValues.all().get(golden));
    }
  }

  @Test
  @DisplayName("C046: a set of lists is a set of lists")
  void setsOfListsComeBack() {
    Set<List<Integer>> value = Set.of(List.of(1, 2), List.of(3, 4));
    assertThat(restored(value)).isEqualTo(value).isInstanceOf(Set.class);
  }

  @Test
  @DisplayName("C046: a type that is gone fails with its name and place, and nothing becomes null")
  void aTypeThatIsGoneIsNamed() {
    Payload stored = CONVERTER.toPayload(Map.of("order", List.of(1, new Shop.Circle(5_551_234))));
    CborPayloadConverter without =
        CborPayloadConverter.builder().register("shop.State", Shop.State.class).build();
    assertThatThrownBy(() -> without.toValue(stored))
        .isInstanceOf(UnsupportedVersion.class)
        .hasMessageContaining("value{0}[1]")
        .hasMessageContaining("shop.Circle")
        .hasMessageNotContaining("order");
  }

  @Test
  @DisplayName("C047: keys that are not text are refused when they are written")
  void otherKeysAreRefused() {
    Map<Object, String> mixed = new LinkedHashMap<>();
    mixed.put("1", "text");
    mixed.put(1L, "number");
    Map<Object, String> none = new HashMap<>();
    none.put(null, "nothing");
    for (Map<?, ?> map :
        List.of(Map.of(1, 1), Map.of(UUID.randomUUID(), "x"), Map.of(1L, 1), mixed, none)) {
      assertThatThrownBy(() -> CONVERTER.toPayload(List.of(map)))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("value[0]{")
          .hasMessageContaining("keys must be text");
    }
  }

  @Test
  @DisplayName("C048: maps keep their order; what has no text keys is refused")
  void mapsKeepTheirOrder() {
    Map<String, Integer> map = new LinkedHashMap<>();
    for (String key : List.of("z", "a", "mm", "b")) {
      map.put(key, key.length());
    }
    TreeMap<String, Integer> reverse = new TreeMap<>(java.util.Comparator.reverseOrder());
    reverse.putAll(map);
    restoresAsItIs(map);
    restoresAsItIs(reverse);
    assertThatThrownBy(() -> CONVERTER.toPayload(new EnumMap<>(Map.of(DayOfWeek.MONDAY, "first"))))
        .isInstanceOf(InvalidInput.class);
  }

  @Test
  @DisplayName("C049: U+0000 stays where it is, in values, keys and lists")
  void nulStaysWhereItIs() {
    restoresAsItIs(Map.of("ab\u0000cd", List.of("ab\u0000cd", 'a', '\u0000')));
  }

  @Test
  @DisplayName("C053: user data that looks like a type is data")
  void lookalikesAreData() {
    restoresAsItIs(GoldenValues.all().get("lookalikes"));
  }

  @Test
  @DisplayName("C053: bytes that name a class outside the list make nothing")
  void bytesThatNameAClassMakeNothing() {
    int before = Shop.Positive.made;
    String name = "io.wovyr.persistence.core.cbor.Shop$Positive";
    for (String written : List.of(name, name.replace('$', '.'), "java.net.URL")) {
      byte[] text = written.getBytes(java.nio.charset.StandardCharsets.UTF_8);
      String hex =
          "d81b8278%02x%sa1666e756d62657205".formatted(text.length, HexFormat.of().formatHex(text));
      assertThatThrownBy(() -> CONVERTER.toValue(cbor(hex)))
          .isInstanceOfAny(UnsupportedVersion.class, Corrupt.class);
    }
    assertThat(Shop.Positive.made).isEqualTo(before);
  }

  // What is refused when it is written.

  @Test
  void whatIsNotKeptIsRefusedByItsClassAndPlace() {
    record Unknown(String content) {}
    for (Object value :
        List.of(
            new Unknown("secret"),
            URI.create("https://secret.example/"),
            DayOfWeek.MONDAY,
            new ArrayDeque<>(List.of("secret")),
            new String[] {"secret"},
            new boolean[] {true},
            new java.util.concurrent.atomic.AtomicLong(1),
            java.util.Locale.ROOT)) {
      assertThatThrownBy(() -> CONVERTER.toPayload(Map.of("secret", List.of(1, value))))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("value{0}[1]")
          .hasMessageContaining(value.getClass().getName())
          .hasMessageNotContaining("secret");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"\uD83D", "a\uDE80", "\uDE80\uD83D", "x\uD83Dy"})
  void halfASurrogatePairIsRefused(String text) {
    for (Object value : List.of(text, Map.of(text, 1), List.of(Optional.of(text)))) {
      assertThatThrownBy(() -> CONVERTER.toPayload(value))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("surrogate");
    }
    assertThatThrownBy(() -> CONVERTER.toPayload('\uD83D')).isInstanceOf(InvalidInput.class);
  }

  @Test
  @SuppressWarnings("IdentityHashMapUsage") // The one map of the JDK that has equal keys.
  void keysThatAreEqualAreRefused() {
    IdentityHashMap<String, Integer> twice = new IdentityHashMap<>();
    twice.put(new String("key"), 1);
    twice.put(new String("key"), 2);
    assertThatThrownBy(() -> CONVERTER.toPayload(twice))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("twice");
  }

  @Test
  @DisplayName("C046: nothing is written that could not be read again: a set with an element twice")
  void elementsOfASetThatAreEqualAreRefused() {
    Set<String> byIdentity = Collections.newSetFromMap(new IdentityHashMap<>());
    byIdentity.add(new String("element"));
    byIdentity.add(new String("element"));
    Set<Integer> byNothing = new TreeSet<>((one, other) -> one + other);
    byNothing.addAll(List.of(1, 2, 1));
    List<Integer> changing = new ArrayList<>(List.of(2));
    Set<List<Integer>> changed = new LinkedHashSet<>(List.of(List.of(1), changing));
    changing.set(0, 1);
    for (Set<?> set : List.of(byIdentity, byNothing, changed)) {
      assertThatThrownBy(() -> CONVERTER.toPayload(Map.of("secret", set)))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("value{0}[")
          .hasMessageContaining("twice")
          .hasMessageNotContaining("secret");
    }
  }

  @Test
  void valuesThatHoldThemselvesAreRefused() {
    List<Object> list = new ArrayList<>();
    list.add(list);
    assertThatThrownBy(() -> CONVERTER.toPayload(list))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("64 levels");
  }

  // Bounds: what may be written may be read, one more may neither.

  private static Object nested(int levels, Object leaf) {
    Object value = leaf;
    for (int i = 0; i < levels; i++) {
      value = i % 2 == 0 ? List.of(value) : Map.of("k", value);
    }
    return value;
  }

  @Test
  void depthIsBoundedForWritersAndReadersAlike() {
    CborPayloadConverter shallow = Shop.types().maxDepth(20).build();
    for (Object leaf : List.of(1, new BigDecimal("1.5"), "x")) {
      Object deepest = nested(20, leaf);
      assertThat(shallow.toValue(shallow.toPayload(deepest))).isEqualTo(deepest);
    }
    for (Object leaf : List.of(1L, new Shop.Circle(1), Shop.State.OPEN, Optional.of(1))) {
      Object deepest = nested(19, leaf);
      assertThat(shallow.toValue(shallow.toPayload(deepest))).isEqualTo(deepest);
      assertThatThrownBy(() -> shallow.toPayload(nested(20, leaf)))
          .isInstanceOf(InvalidInput.class);
    }
    Object tooDeep = nested(21, 1);
    assertThatThrownBy(() -> shallow.toPayload(tooDeep)).isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> shallow.toValue(CONVERTER.toPayload(tooDeep)))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("deeper than 20");
  }

  @Test
  void theDeepestOfTheHighestBoundComesBack() {
    CborPayloadConverter deep = Shop.types().maxDepth(100).build();
    Object leaf = new Shop.Square(1, null);
    for (int i = 0; i < 99; i++) {
      leaf = new Shop.Square(1, (Shop.Shape) leaf);
    }
    assertThat(deep.toValue(deep.toPayload(leaf))).isEqualTo(leaf);
  }

  @Test
  void endlessDepthInBytesIsRefused() {
    for (String opening : List.of("81", "a16161", "d81b82693a6f7074696f6e616c", "c1")) {
      assertThatThrownBy(() -> CONVERTER.toValue(cbor(opening.repeat(100_000))))
          .isInstanceOfAny(InvalidInput.class, Corrupt.class);
    }
  }

  @Test
  void bytesAndValuesAreBounded() {
    CborPayloadConverter small = Shop.types().maxBytes(100).maxValues(10).build();
    assertThat(small.toPayload("x".repeat(98)).content().size()).isEqualTo(100);
    assertThat(small.toValue(small.toPayload("x".repeat(98)), String.class)).hasSize(98);
    List<Integer> ten = java.util.Collections.nCopies(10, 1);
    assertThatThrownBy(() -> small.toPayload("x".repeat(99)))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("larger than 100");
    assertThatThrownBy(() -> small.toValue(CONVERTER.toPayload("x".repeat(99))))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("101 bytes");
    assertThat(small.toValue(small.toPayload(ten.subList(0, 9)))).isEqualTo(ten.subList(0, 9));
    assertThatThrownBy(() -> small.toPayload(ten)).isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> small.toValue(CONVERTER.toPayload(ten)))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("more than 10 values");
  }

  // What is refused when it is read.

  @ParameterizedTest
  @CsvSource({
    "'', no value",
    "a2616101616102, a key twice",
    "a10101, a number as key",
    "a1410101, bytes as key",
    "a1c1616101, a tag on a key",
    "bf0101ff, a number as key of indefinite length",
    "0101, two values",
    "8101f6, something after a list",
    "82, a cut list",
    "6261, a cut text",
    "62c328, not UTF-8",
    "a162c32801, a key that is not UTF-8",
    "63eda0bd, half a surrogate pair",
    "62c080, overlong",
    "f7, undefined",
    "e0, a simple value",
    "ff, a break",
    "1c, reserved",
    "c000, a tag on another kind",
    "c0656e65766572, not an instant",
    "c0743230323630322d30333230343a30353a30365a, not an instant either",
    "c074323032362d30322d30335430343a30353a3930, no zone",
    "c0781e323032362d30322d30335430343a30353a30362e3030303030303030305a, not the shortest",
    "c200, a bignum that is a number",
    "c24301c3, cut bignum",
    "c48101, a decimal of one",
    "c4820102ff, a decimal and a break",
    "c482186461, a decimal of text",
    "c4821b800000000000000001, an exponent out of range",
    "c5820102, a big float",
    "c2c24101, a tag in a tag",
    "d9010281d9010281c000, a tag on another kind within",
    "d8254101, a short UUID",
    "d84a43010203, cut ints",
    "d9010282 0101, an element twice",
    "d81b80, no name",
    "d81b8101, no name but a number",
    "d81b81653a6c6f6e67, a long without number",
    "d81b82653a6c6f6e676131, a long that is text",
    "d81b82653a6c6f6e67fb3ff0000000000000, a long that is a double",
    "d81b82653a62797465190080, a byte out of range",
    "d81b83653a6c6f6e670606, a long and more",
    "d81b82653a63686172626161, a character of two",
    "d81b82693a6f7074696f6e616cf6, an optional null",
    "d81b82693a6475726174696f6e6131, not a duration",
    "d81b82673a706572696f646b50333036373833333739 57, weeks that are too many days",
    "d81b82653a626164 01, a name of ours that is not there",
    "d81b8260 01, an empty name",
    "d9010043 010203, string references",
  })
  void bytesThatWereNeverWrittenAreRefused(String hex, String why) {
    assertThatThrownBy(() -> CONVERTER.toValue(cbor(hex.replace(" ", ""))))
        .as(why)
        .isInstanceOfAny(Corrupt.class, UnsupportedVersion.class)
        .hasMessageStartingWith("value")
        .hasNoCause();
  }

  @Test
  void aPayloadOfAnotherContentTypeIsRefused() {
    assertThatThrownBy(() -> CONVERTER.toValue(Payload.json("{}")))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("application/json");
  }

  @Test
  void everyCutAndEveryFlippedByteIsReadOrRefusedWithATypedError() {
    byte[] whole =
        CONVERTER
            .toPayload(
                Shop.order(Optional.of(Shop.order(Optional.empty(), "note")), Map.of("k", 1)))
            .content()
            .toByteArray();
    for (int length = 0; length < whole.length; length++) {
      Payload cut = Payload.of(CborPayloadConverter.CONTENT_TYPE, Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> CONVERTER.toValue(cut)).isInstanceOf(Corrupt.class);
    }
    for (int position = 0; position < whole.length; position++) {
      for (int flip : new int[] {1, 0x20, 0x80, 0xff}) {
        byte[] changed = whole.clone();
        changed[position] ^= (byte) flip;
        readOrRefused(changed);
      }
    }
  }

  private static void readOrRefused(byte[] bytes) {
    try {
      Object value = CONVERTER.toValue(Payload.of(CborPayloadConverter.CONTENT_TYPE, bytes));
      restoresAsItIs(value);
    } catch (Corrupt | UnsupportedVersion | InvalidInput e) {
      assertThat(e).hasMessageStartingWith("value").hasNoCause();
    }
  }

  // Registered types.

  @Test
  void aTypeOfAnotherShapeIsRefusedByName() {
    record Old(int quantity) {}
    record New(int quantity, Optional<String> note) {}
    record Other(String quantity) {}
    CborPayloadConverter old = CborPayloadConverter.builder().register("T", Old.class).build();
    Payload stored = old.toPayload(new Old(5));
    for (Class<?> shape : List.of(New.class, Other.class)) {
      CborPayloadConverter changed = CborPayloadConverter.builder().register("T", shape).build();
      assertThatThrownBy(() -> changed.toValue(stored))
          .isInstanceOf(UnsupportedVersion.class)
          .hasMessageContaining("the type T was written in another shape");
    }
    CborPayloadConverter newer = CborPayloadConverter.builder().register("T", New.class).build();
    assertThatThrownBy(() -> old.toValue(newer.toPayload(new New(1, Optional.of("secret")))))
        .isInstanceOf(UnsupportedVersion.class)
        .hasMessageNotContaining("secret");
  }

  @Test
  void aConstantThatIsGoneIsRefused() {
    enum Few {
      OPEN
    }

    CborPayloadConverter few =
        CborPayloadConverter.builder().register("shop.State", Few.class).build();
    assertThat(few.toValue(CONVERTER.toPayload(Shop.State.OPEN))).isEqualTo(Few.OPEN);
    assertThatThrownBy(() -> few.toValue(CONVERTER.toPayload(Shop.State.PAID)))
        .isInstanceOf(UnsupportedVersion.class)
        .hasMessageContaining("shop.State");
  }

  @Test
  void whatARecordRefusesIsCorruptAndStaysSecret() {
    Payload good = CONVERTER.toPayload(new Shop.Positive(5));
    byte[] bad = good.content().toByteArray();
    bad[bad.length - 1] = 0x2a;
    assertThatThrownBy(() -> CONVERTER.toValue(Payload.of(CborPayloadConverter.CONTENT_TYPE, bad)))
        .isInstanceOf(Corrupt.class)
        .hasMessageContaining("shop.Positive")
        .hasMessageContaining("IllegalArgumentException")
        .hasMessageNotContaining("secret")
        .hasNoCause();
  }

  @Test
  void valuesOfAnotherTypeNeverGetIntoAGenericComponent() {
    record Texts(List<String> texts) {}
    record Any(List<Object> texts) {}
    Payload stored =
        CborPayloadConverter.builder()
            .register("T", Any.class)
            .build()
            .toPayload(new Any(List.of("a", 1)));
    CborPayloadConverter texts = CborPayloadConverter.builder().register("T", Texts.class).build();
    assertThatThrownBy(() -> texts.toValue(stored)).isInstanceOf(UnsupportedVersion.class);
  }

  @Test
  void registrationsThatCouldNotBeReadBackAreRefused() {
    record HasBuilder(StringBuilder text) {}
    record HasArrayList(ArrayList<String> list) {}
    record HasSorted(java.util.SortedMap<String, String> map) {}
    for (Class<?> type :
        List.of(
            HasBuilder.class,
            HasArrayList.class,
            HasSorted.class,
            String.class,
            Shop.Shape.class,
            Object.class)) {
      assertThatThrownBy(() -> CborPayloadConverter.builder().register("T", type).build())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(type.getName());
    }
    for (String name : List.of("", ":long", "1a", "a b", "a".repeat(129))) {
      assertThatThrownBy(
              () -> CborPayloadConverter.builder().register(name, Shop.Circle.class).build())
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> Shop.types().register("shop.Circle", Shop.State.class))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Shop.types().register("again", Shop.Circle.class).build())
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () ->
                CborPayloadConverter.builder()
                    .register("circle", Shop.Circle.class)
                    .requireAllOf(Shop.Shape.class)
                    .build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Square");
  }

  // Asking for a type.

  @Test
  void aValueIsGivenAsTheTypeAskedForOrRefused() {
    Payload six = CONVERTER.toPayload(6);
    assertThat(CONVERTER.toValue(six, Long.class)).isEqualTo(6L);
    assertThat(CONVERTER.toValue(six, int.class)).isEqualTo(6);
    assertThat(CONVERTER.toValue(six, Number.class)).isEqualTo(6);
    assertThat(CONVERTER.toValue(CONVERTER.toPayload(new Shop.Circle(1)), Shop.Shape.class))
        .isEqualTo(new Shop.Circle(1));
    assertThatThrownBy(() -> CONVERTER.toValue(CONVERTER.toPayload(300), Byte.class))
        .isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> CONVERTER.toValue(six, String.class))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("java.lang.String");
    assertThatThrownBy(() -> CONVERTER.toValue(CONVERTER.toPayload(null), String.class))
        .isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> CONVERTER.toValue(six, ArrayList.class))
        .isInstanceOf(InvalidInput.class);
  }

  @Test
  void formsOfOtherWritersAreRead() {
    // Indefinite lengths, numbers longer than needed, half-precision floats.
    assertThat(CONVERTER.toValue(cbor("9f1b0000000000000006f93c007f61616162ffff")))
        .isEqualTo(List.of(6, 1.0f, "ab"));
    assertThat(CONVERTER.toValue(cbor("bf616101ff"))).isEqualTo(Map.of("a", 1));
    assertThat(CONVERTER.toValue(cbor("5f41014102ff"), byte[].class)).containsExactly(1, 2);
    assertThat(CONVERTER.toValue(cbor("1bffffffffffffffff")))
        .isEqualTo(new BigInteger("18446744073709551615"));
    assertThat(CONVERTER.toValue(cbor("c2420001"))).isEqualTo(BigInteger.ONE);
    assertThat(CONVERTER.toValue(cbor("c240"))).isEqualTo(BigInteger.ZERO);
    assertThat(CONVERTER.toValue(cbor("c340"))).isEqualTo(BigInteger.ONE.negate());
    assertThat(CONVERTER.toValue(cbor("c48220c340"))).isEqualTo(new BigDecimal("-0.1"));
    assertThat(CONVERTER.toValue(cbor("c48220c240"))).isEqualTo(new BigDecimal("0.0"));
    assertThat(CONVERTER.toValue(cbor("c4822000"))).isEqualTo(new BigDecimal("0.0"));
  }
}
