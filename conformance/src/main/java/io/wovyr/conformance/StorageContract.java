/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.conformance;

import io.wovyr.persistence.storage.spi.Storage;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Everything a storage provider must keep. An author extends it and answers {@link
 * #storageUnderTest()}; the tests are inherited and cannot be overridden from another package. A
 * contract of a capability that the store does not declare, or that the fixture opens no way to, is
 * aborted and reported as NOT RUN with the reason; all others are required.
 *
 * <pre>{@code
 * class AcmeStorageIT extends StorageContract {
 *   @Override
 *   protected StorageUnderTest storageUnderTest() {
 *     return new AcmeUnderTest();
 *   }
 * }
 * }</pre>
 *
 * <p>All contracts run over one store, each with tenants of its own. The report is written to
 * {@code target/conformance}, see {@link io.wovyr.conformance.report.ConformanceReport}.
 *
 * @since 0.1
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(ContractRecorder.class)
public abstract class StorageContract {
  private final String run = UUID.randomUUID().toString().substring(0, 6);
  private final AtomicInteger tenants = new AtomicInteger();
  private @Nullable StorageUnderTest subject;
  private @Nullable Storage storage;

  /** For subclasses. */
  protected StorageContract() {}

  /** How to open the store that is tested. Called once. */
  protected abstract StorageUnderTest storageUnderTest();

  @BeforeAll
  final void openTheStore() {
    subject = storageUnderTest();
    storage = subject.open();
  }

  @AfterAll
  final void closeTheStore() throws Exception {
    if (storage != null) {
      storage.close();
    }
    if (subject != null) {
      subject.close();
    }
  }

  /** Closes the only handle and opens the store again. */
  final Storage reopen() {
    storage().close();
    storage = subject().open();
    return storage;
  }

  final StorageUnderTest subject() {
    return Objects.requireNonNull(subject);
  }

  final Storage storage() {
    return Objects.requireNonNull(storage);
  }

  /** Begins the name of a tenant that nobody used before. */
  final String freshPrefix() {
    return subject().tenantPrefix() + run + "-" + tenants.incrementAndGet() + "-";
  }

  @Nested
  @DisplayName("Atomicity")
  final class Atomicity extends AtomicityArea {
    Atomicity() {
      super(StorageContract.this);
    }
  }

  @Nested
  @DisplayName("Guards")
  final class Guards extends GuardsArea {
    Guards() {
      super(StorageContract.this);
    }
  }

  @Nested
  @DisplayName("Unique keys")
  final class UniqueKeys extends UniqueKeysArea {
    UniqueKeys() {
      super(StorageContract.this);
    }
  }

  @Nested
  @DisplayName("Sequences")
  final class Sequences extends SequencesArea {
    Sequences() {
      super(StorageContract.this);
    }
  }

  @Nested
  @DisplayName("Idempotent resubmission")
  final class Resubmission extends ResubmissionArea {
    Resubmission() {
      super(StorageContract.this);
    }
  }

  @Nested
  @DisplayName("Fencing")
  final class Fencing extends FencingArea {
    Fencing() {
      super(StorageContract.this);
    }
  }

  @Nested
  @DisplayName("Takeover")
  final class Takeover extends TakeoverArea {
    Takeover() {
      super(StorageContract.this);
    }
  }

  @Nested
  @DisplayName("Expiry with a store clock")
  final class StoreClock extends StoreClockArea {
    StoreClock() {
      super(StorageContract.this);
    }
  }

  @Nested
  @DisplayName("Expiry without a store clock")
  final class NoStoreClock extends NoStoreClockArea {
    NoStoreClock() {
      super(StorageContract.this);
    }
  }

  @Nested
  @DisplayName("Feed")
  final class Feed extends FeedArea {
    Feed() {
      super(StorageContract.this);
    }
  }

  @Nested
  @DisplayName("Tenant walls")
  final class TenantWalls extends TenantWallsArea {
    TenantWalls() {
      super(StorageContract.this);
    }
  }

  @Nested
  @DisplayName("Scans")
  final class Scans extends ScansArea {
    Scans() {
      super(StorageContract.this);
    }
  }

  @Nested
  @DisplayName("System scans")
  final class SystemScans extends SystemScansArea {
    SystemScans() {
      super(StorageContract.this);
    }
  }

  @Nested
  @DisplayName("Limits")
  final class Limits extends LimitsArea {
    Limits() {
      super(StorageContract.this);
    }
  }

  @Nested
  @DisplayName("Prefix purge")
  final class Purge extends PurgeArea {
    Purge() {
      super(StorageContract.this);
    }
  }

  @Nested
  @DisplayName("Values")
  final class Values extends ValuesArea {
    Values() {
      super(StorageContract.this);
    }
  }

  @Nested
  @DisplayName("Unknown attributes")
  final class UnknownAttributes extends UnknownAttributesArea {
    UnknownAttributes() {
      super(StorageContract.this);
    }
  }

  @Nested
  @DisplayName("Durability")
  final class Durability extends DurabilityArea {
    Durability() {
      super(StorageContract.this);
    }
  }

  @Nested
  @DisplayName("Contention")
  final class Contention extends ContentionArea {
    Contention() {
      super(StorageContract.this);
    }
  }

  @Nested
  @DisplayName("Two processes")
  final class Processes extends ProcessesArea {
    Processes() {
      super(StorageContract.this);
    }
  }

  @Nested
  @DisplayName("Faults at commit")
  final class Faults extends FaultsArea {
    Faults() {
      super(StorageContract.this);
    }
  }

  @Nested
  @DisplayName("JTA transactions of callers")
  final class Jta extends JtaArea {
    Jta() {
      super(StorageContract.this);
    }
  }

  @Nested
  @DisplayName("Life cycle")
  final class Lifecycle extends LifecycleArea {
    Lifecycle() {
      super(StorageContract.this);
    }
  }
}
