/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance.memory;

import io.wovyr.conformance.StorageContract;
import io.wovyr.conformance.StorageUnderTest;

/** The reference as it comes. */
class ReferenceContractTest extends StorageContract {
  @Override
  protected StorageUnderTest storageUnderTest() {
    return new MemoryUnderTest("memory", MemorySettings.defaults());
  }
}
