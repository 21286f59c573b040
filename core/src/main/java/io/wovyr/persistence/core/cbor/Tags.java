/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.cbor;

/** Tags of RFC 8949 and its registry, as docs/format/cbor-payload.md uses them. */
final class Tags {
  static final int NONE = -1;
  static final int INSTANT = 0;
  static final int POSITIVE_BIGNUM = 2;
  static final int NEGATIVE_BIGNUM = 3;
  static final int DECIMAL_FRACTION = 4;
  static final int NAMED_TYPE = 27;
  static final int UUID = 37;
  static final int SHORTS = 73;
  static final int INTS = 74;
  static final int LONGS = 75;
  static final int FLOATS = 81;
  static final int DOUBLES = 82;
  static final int SET = 258;
  static final int LOCAL_DATE = 1004;

  /** Names of the format's own types; an application's never begin with a colon. */
  static final String BYTE = ":byte";

  static final String SHORT = ":short";
  static final String LONG = ":long";
  static final String CHAR = ":char";
  static final String OPTIONAL = ":optional";

  private Tags() {}
}
