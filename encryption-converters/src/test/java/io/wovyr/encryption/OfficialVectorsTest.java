/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Published vectors, through the code that seals and opens values, and through Bouncy Castle. */
class OfficialVectorsTest {
  private static final String KEY_A =
      "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308";

  /**
   * AES-256 with 96-bit nonces. First four: test cases 13 to 16 of McGrew and Viega, "The
   * Galois/Counter Mode of Operation", appendix B. Last three: NIST CAVP, gcmEncryptExtIV256, the
   * first of their lengths.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0000000000000000000000000000000000000000000000000000000000000000 | 000000000000000000000000 | '' | '' | '' | 530f8afbc74536b9a963b4f1c4cb738b
          0000000000000000000000000000000000000000000000000000000000000000 | 000000000000000000000000 | 00000000000000000000000000000000 | '' | cea7403d4d606b6e074ec5d3baf39d18 | d0d1c8a799996bf0265b98b5d48ab919
          feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308 | cafebabefacedbaddecaf888 | d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255 | '' | 522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad | b094dac5d93471bdec1a502270e3cc6c
          feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308 | cafebabefacedbaddecaf888 | d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39 | feedfacedeadbeeffeedfacedeadbeefabaddad2 | 522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662 | 76fc6ece0f4e1768cddf8853bb2d551b
          b52c505a37d78eda5dd34f20c22540ea1b58963cf8e5bf8ffa85f9f2492505b4 | 516c33929df5a3284ff463d7 | '' | '' | '' | bdc1ac884d332457a1d2664f168c76f0
          31bdadd96698c204aa9ce1448ea94ae1fb4a9a0b3c9d773b51bb1822666b8f22 | 0d18e06c7c725ac9e362e1ce | 2db5168e932556f8089a0622981d017d | '' | fa4362189661d163fcd6a56d8bf0405a | d636ac1bbedd5cc3ee727dc2ab4a9489
          92e11dcdaa866f5ce790fd24501f92509aacf4cb8b1339d50c9c1240935dd08b | ac93a1a6145299bde902f21a | 2d71bcfa914e4ac045b2aa60955fad24 | 1e0889016f67601c8ebea4943bc23ad6 | 8995ae2e6df3dbf96fac7b7137bae67f | eca5aa77d51d4a0a14d9c51e1da474ab
          """)
  void aesGcmOpensAndRefusesAsPublished(
      String key, String nonce, String plain, String associated, String cipher, String tag)
      throws GeneralSecurityException {
    byte[] sealed = sealedBytes(hex(nonce), hex(cipher), hex(tag));
    WorkingKey workingKey =
        WorkingKey.of(new byte[SealedLayout.KEY_BYTES], hex(key), WorkingKey.Limit.STANDARD);

    assertThat(workingKey.open(sealed, hex(associated))).isEqualTo(hex(plain));
    assertThat(BouncyGcm.seal(hex(key), hex(nonce), hex(plain), hex(associated)))
        .isEqualTo(HexFormat.of().parseHex(cipher + tag));
    sealed[sealed.length - 1] ^= 1;
    assertThatThrownBy(() -> workingKey.open(sealed, hex(associated)))
        .isInstanceOf(GeneralSecurityException.class);
  }

  /** RFC 5869, appendix A.1 to A.3. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b | 000102030405060708090a0b0c | f0f1f2f3f4f5f6f7f8f9 | 3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865
          000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f | 606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9fa0a1a2a3a4a5a6a7a8a9aaabacadaeaf | b0b1b2b3b4b5b6b7b8b9babbbcbdbebfc0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedfe0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9fafbfcfdfeff | b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87
          0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b | '' | '' | 8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8
          """)
  void hkdfDerivesAsPublished(String secret, String salt, String info, String output) {
    int length = output.length() / 2;
    assertThat(Hkdf.derive(hex(secret), hex(salt), hex(info), length)).isEqualTo(hex(output));
    assertThat(BouncyGcm.hkdf(hex(secret), hex(salt), hex(info), length)).isEqualTo(hex(output));
  }

  @ParameterizedTest
  @CsvSource({"0", "1", "15", "16", "17", "200", "16384", "16385", "65537", "1048576"})
  void bouncyCastleSealsTheSameBytesAsTheJdk(int length) throws GeneralSecurityException {
    byte[] plain = new byte[length];
    new java.util.Random(length).nextBytes(plain);
    byte[] associated = {1, 2, 3};
    WorkingKey key =
        WorkingKey.of(new byte[SealedLayout.KEY_BYTES], hex(KEY_A), WorkingKey.Limit.STANDARD);
    byte[] sealed = key.seal(key.header(0), plain, 258, associated);
    byte[] nonce = hex("000000000000000000000102");
    byte[] expected = BouncyGcm.seal(hex(KEY_A), nonce, plain, associated);

    assertThat(sealed).startsWith(sealedBytes(nonce, new byte[0], new byte[0]));
    assertThat(ByteBuffer.wrap(sealed).position(SealedLayout.HEADER_BYTES).slice())
        .isEqualTo(ByteBuffer.wrap(expected));
    assertThat(key.open(sealed, associated)).isEqualTo(plain);
  }

  private static byte[] sealedBytes(byte[] nonce, byte[] cipher, byte[] tag) {
    return ByteBuffer.allocate(SealedLayout.HEADER_BYTES + cipher.length + tag.length)
        .put(new byte[SealedLayout.KEY_BYTES])
        .put(nonce)
        .put(cipher)
        .put(tag)
        .array();
  }

  private static byte[] hex(String hex) {
    return HexFormat.of().parseHex(hex);
  }
}
