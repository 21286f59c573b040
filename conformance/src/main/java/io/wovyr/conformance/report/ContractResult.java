/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance.report;

import java.util.Optional;

/**
 * What came of one contract.
 *
 * @param area of the contract, as people read it
 * @param contract what was asked, as a sentence
 * @param capability only stores that declare it are asked; empty: all are
 * @param reason why it failed or was not run; empty when it passed
 * @since 0.1
 */
public record ContractResult(
    String area, String contract, Optional<String> capability, Result result, String reason) {
  /** See {@link ContractResult}. */
  public enum Result {
    /** It holds. */
    PASSED,
    /** It does not hold. */
    FAILED,
    /** It was not tried; the reason says why. */
    NOT_RUN
  }
}
