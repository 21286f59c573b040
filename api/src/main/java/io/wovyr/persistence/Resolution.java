/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence;

/**
 * What became of a commit whose outcome was unknown.
 *
 * @since 0.1
 */
public enum Resolution {
  /** It was written, once. */
  APPLIED,
  /** It was not written and never will be: no try still in flight can win any more. */
  NEVER_APPLIED,
  /** Nobody can tell any more: the witness was purged or the marker expired. */
  UNDECIDED
}
