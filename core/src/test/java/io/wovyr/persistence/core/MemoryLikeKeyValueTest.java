/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core;

import io.wovyr.conformance.memory.MemorySettings;
import io.wovyr.persistence.core.contract.ActivitiesContract;
import io.wovyr.persistence.core.contract.BadInputContract;
import io.wovyr.persistence.core.contract.CompensationsContract;
import io.wovyr.persistence.core.contract.CreationContract;
import io.wovyr.persistence.core.contract.DefinitionsContract;
import io.wovyr.persistence.core.contract.DispatchContract;
import io.wovyr.persistence.core.contract.EventsContract;
import io.wovyr.persistence.core.contract.EveryNewerVersionContract;
import io.wovyr.persistence.core.contract.ExecutionsContract;
import io.wovyr.persistence.core.contract.FeedContract;
import io.wovyr.persistence.core.contract.FencedChangesContract;
import io.wovyr.persistence.core.contract.KeeperContract;
import io.wovyr.persistence.core.contract.LargeValuesContract;
import io.wovyr.persistence.core.contract.LeaseTimeContract;
import io.wovyr.persistence.core.contract.LeasesContract;
import io.wovyr.persistence.core.contract.NamedLeasesContract;
import io.wovyr.persistence.core.contract.NewerVersionsContract;
import io.wovyr.persistence.core.contract.NoStoreClockContract;
import io.wovyr.persistence.core.contract.PurgeContract;
import io.wovyr.persistence.core.contract.QuarantineContract;
import io.wovyr.persistence.core.contract.QueriesContract;
import io.wovyr.persistence.core.contract.RecordsContract;
import io.wovyr.persistence.core.contract.RecoveryContract;
import io.wovyr.persistence.core.contract.RetryingContract;
import io.wovyr.persistence.core.contract.RightsContract;
import io.wovyr.persistence.core.contract.SchedulerContract;
import io.wovyr.persistence.core.contract.SchedulesContract;
import io.wovyr.persistence.core.contract.SignalsContract;
import io.wovyr.persistence.core.contract.StatusesContract;
import io.wovyr.persistence.core.contract.TenancyContract;
import io.wovyr.persistence.core.contract.TestStore;
import io.wovyr.persistence.core.contract.TestTime;
import io.wovyr.persistence.core.contract.UnitOfWorkContract;
import io.wovyr.persistence.core.contract.UnknownLeasesContract;
import io.wovyr.persistence.core.contract.UnknownOutcomesContract;
import io.wovyr.persistence.core.contract.ValuesContract;
import org.junit.jupiter.api.Nested;

/**
 * The repositories over a store in memory shaped like a key-value store: no clock, small batches
 * and records, conflicts that tell nothing, short pages.
 */
final class MemoryLikeKeyValueTest {
  private static TestStore store(TestTime time) {
    return new MemoryTestStore(
        MemorySettings.defaults()
            .withoutClock()
            .withBatchItems(100)
            .withItemsPerIndexEntry(1)
            .withRecordBytes(16 * 1024)
            .withoutActualInConflicts()
            .withCommitOrder(MemorySettings.CommitOrder.SHUFFLED)
            .withShortPages());
  }

  @Nested
  final class BadInput extends BadInputContract {
    BadInput() {
      super(MemoryLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Creation extends CreationContract {
    Creation() {
      super(MemoryLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Dispatch extends DispatchContract {
    Dispatch() {
      super(MemoryLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Events extends EventsContract {
    Events() {
      super(MemoryLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Executions extends ExecutionsContract {
    Executions() {
      super(MemoryLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Feed extends FeedContract {
    Feed() {
      super(MemoryLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Keeper extends KeeperContract {
    Keeper() {
      super(MemoryLikeKeyValueTest::store);
    }
  }

  @Nested
  final class LeaseTime extends LeaseTimeContract {
    LeaseTime() {
      super(MemoryLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Leases extends LeasesContract {
    Leases() {
      super(MemoryLikeKeyValueTest::store);
    }
  }

  @Nested
  final class NamedLeases extends NamedLeasesContract {
    NamedLeases() {
      super(MemoryLikeKeyValueTest::store);
    }
  }

  @Nested
  final class EveryNewerVersion extends EveryNewerVersionContract {
    EveryNewerVersion() {
      super(MemoryLikeKeyValueTest::store);
    }
  }

  @Nested
  final class NewerVersions extends NewerVersionsContract {
    NewerVersions() {
      super(MemoryLikeKeyValueTest::store);
    }
  }

  @Nested
  final class NoStoreClock extends NoStoreClockContract {
    NoStoreClock() {
      super(MemoryLikeKeyValueTest::store);
    }
  }

  @Nested
  final class LargeValues extends LargeValuesContract {
    LargeValues() {
      super(MemoryLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Purge extends PurgeContract {
    Purge() {
      super(MemoryLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Recovery extends RecoveryContract {
    Recovery() {
      super(MemoryLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Retrying extends RetryingContract {
    Retrying() {
      super(MemoryLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Signals extends SignalsContract {
    Signals() {
      super(MemoryLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Tenancy extends TenancyContract {
    Tenancy() {
      super(MemoryLikeKeyValueTest::store);
    }
  }

  @Nested
  final class UnitOfWork extends UnitOfWorkContract {
    UnitOfWork() {
      super(MemoryLikeKeyValueTest::store);
    }
  }

  @Nested
  final class UnknownLeases extends UnknownLeasesContract {
    UnknownLeases() {
      super(MemoryLikeKeyValueTest::store);
    }
  }

  @Nested
  final class UnknownOutcomes extends UnknownOutcomesContract {
    UnknownOutcomes() {
      super(MemoryLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Values extends ValuesContract {
    Values() {
      super(MemoryLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Activities extends ActivitiesContract {
    Activities() {
      super(MemoryLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Statuses extends StatusesContract {
    Statuses() {
      super(MemoryLikeKeyValueTest::store);
    }
  }

  @Nested
  final class FencedChanges extends FencedChangesContract {
    FencedChanges() {
      super(MemoryLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Compensations extends CompensationsContract {
    Compensations() {
      super(MemoryLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Definitions extends DefinitionsContract {
    Definitions() {
      super(MemoryLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Queries extends QueriesContract {
    Queries() {
      super(MemoryLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Records extends RecordsContract {
    Records() {
      super(MemoryLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Schedules extends SchedulesContract {
    Schedules() {
      super(MemoryLikeKeyValueTest::store);
    }
  }

  @Nested
  final class SchedulerLoop extends SchedulerContract {
    SchedulerLoop() {
      super(MemoryLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Rights extends RightsContract {
    Rights() {
      super(MemoryLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Quarantine extends QuarantineContract {
    Quarantine() {
      super(MemoryLikeKeyValueTest::store);
    }
  }
}
