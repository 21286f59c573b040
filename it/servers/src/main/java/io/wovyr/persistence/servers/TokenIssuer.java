/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.servers;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.time.Instant;
import java.util.Base64;

/** Issues tokens of MicroProfile JWT, as an identity provider does. */
final class TokenIssuer {
  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();
  private static final int BITS = 2048;

  private final String name;
  private final KeyPair keys;

  private TokenIssuer(String name, KeyPair keys) {
    this.name = name;
    this.keys = keys;
  }

  static TokenIssuer named(String name) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(BITS);
      return new TokenIssuer(name, generator.generateKeyPair());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What an application says that trusts it. */
  String settings() {
    return "mp.jwt.verify.issuer=%s%nmp.jwt.verify.publickey=-----BEGIN PUBLIC KEY-----%s-----END PUBLIC KEY-----%n"
        .formatted(name, Base64.getEncoder().encodeToString(keys.getPublic().getEncoded()));
  }

  /**
   * A token for five minutes.
   *
   * @param more claims, JSON: each with a comma before it
   */
  String token(String user, String group, String more) {
    long now = Instant.now().getEpochSecond();
    String claims =
        "{\"iss\":\"%s\",\"sub\":\"%s\",\"upn\":\"%2$s\",\"groups\":[\"%s\"],\"iat\":%d,\"exp\":%d%s}"
            .formatted(name, user, group, now, now + 300, more);
    String signed = part("{\"alg\":\"RS256\",\"typ\":\"JWT\"}") + "." + part(claims);
    try {
      Signature signature = Signature.getInstance("SHA256withRSA");
      signature.initSign(keys.getPrivate());
      signature.update(signed.getBytes(StandardCharsets.US_ASCII));
      return signed + "." + BASE64.encodeToString(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String part(String json) {
    return BASE64.encodeToString(json.getBytes(StandardCharsets.UTF_8));
  }
}
