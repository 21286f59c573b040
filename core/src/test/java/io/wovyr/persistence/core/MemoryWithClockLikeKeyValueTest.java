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
import io.wovyr.persistence.core.contract.StoreClockContract;
import io.wovyr.persistence.core.contract.TenancyContract;
import io.wovyr.persistence.core.contract.TestStore;
import io.wovyr.persistence.core.contract.TestTime;
import io.wovyr.persistence.core.contract.UnitOfWorkContract;
import io.wovyr.persistence.core.contract.UnknownLeasesContract;
import io.wovyr.persistence.core.contract.UnknownOutcomesContract;
import io.wovyr.persistence.core.contract.ValuesContract;
import org.junit.jupiter.api.Nested;

/** As {@link MemoryLikeKeyValueTest}, with a store clock. */
final class MemoryWithClockLikeKeyValueTest {
  private static TestStore store(TestTime time) {
    return new MemoryTestStore(
        MemorySettings.defaults()
            .withClock(time::now)
            .withBatchItems(100)
            .withItemsPerIndexEntry(1)
            .withoutActualInConflicts()
            .withCommitOrder(MemorySettings.CommitOrder.REVERSED)
            .withShortPages());
  }

  @Nested
  final class BadInput extends BadInputContract {
    BadInput() {
      super(MemoryWithClockLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Creation extends CreationContract {
    Creation() {
      super(MemoryWithClockLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Dispatch extends DispatchContract {
    Dispatch() {
      super(MemoryWithClockLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Events extends EventsContract {
    Events() {
      super(MemoryWithClockLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Executions extends ExecutionsContract {
    Executions() {
      super(MemoryWithClockLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Feed extends FeedContract {
    Feed() {
      super(MemoryWithClockLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Keeper extends KeeperContract {
    Keeper() {
      super(MemoryWithClockLikeKeyValueTest::store);
    }
  }

  @Nested
  final class LeaseTime extends LeaseTimeContract {
    LeaseTime() {
      super(MemoryWithClockLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Leases extends LeasesContract {
    Leases() {
      super(MemoryWithClockLikeKeyValueTest::store);
    }
  }

  @Nested
  final class NamedLeases extends NamedLeasesContract {
    NamedLeases() {
      super(MemoryWithClockLikeKeyValueTest::store);
    }
  }

  @Nested
  final class EveryNewerVersion extends EveryNewerVersionContract {
    EveryNewerVersion() {
      super(MemoryWithClockLikeKeyValueTest::store);
    }
  }

  @Nested
  final class NewerVersions extends NewerVersionsContract {
    NewerVersions() {
      super(MemoryWithClockLikeKeyValueTest::store);
    }
  }

  @Nested
  final class LargeValues extends LargeValuesContract {
    LargeValues() {
      super(MemoryWithClockLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Purge extends PurgeContract {
    Purge() {
      super(MemoryWithClockLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Recovery extends RecoveryContract {
    Recovery() {
      super(MemoryWithClockLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Retrying extends RetryingContract {
    Retrying() {
      super(MemoryWithClockLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Signals extends SignalsContract {
    Signals() {
      super(MemoryWithClockLikeKeyValueTest::store);
    }
  }

  @Nested
  final class StoreClock extends StoreClockContract {
    StoreClock() {
      super(MemoryWithClockLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Tenancy extends TenancyContract {
    Tenancy() {
      super(MemoryWithClockLikeKeyValueTest::store);
    }
  }

  @Nested
  final class UnitOfWork extends UnitOfWorkContract {
    UnitOfWork() {
      super(MemoryWithClockLikeKeyValueTest::store);
    }
  }

  @Nested
  final class UnknownLeases extends UnknownLeasesContract {
    UnknownLeases() {
      super(MemoryWithClockLikeKeyValueTest::store);
    }
  }

  @Nested
  final class UnknownOutcomes extends UnknownOutcomesContract {
    UnknownOutcomes() {
      super(MemoryWithClockLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Values extends ValuesContract {
    Values() {
      super(MemoryWithClockLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Activities extends ActivitiesContract {
    Activities() {
      super(MemoryWithClockLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Statuses extends StatusesContract {
    Statuses() {
      super(MemoryWithClockLikeKeyValueTest::store);
    }
  }

  @Nested
  final class FencedChanges extends FencedChangesContract {
    FencedChanges() {
      super(MemoryWithClockLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Compensations extends CompensationsContract {
    Compensations() {
      super(MemoryWithClockLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Definitions extends DefinitionsContract {
    Definitions() {
      super(MemoryWithClockLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Queries extends QueriesContract {
    Queries() {
      super(MemoryWithClockLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Records extends RecordsContract {
    Records() {
      super(MemoryWithClockLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Schedules extends SchedulesContract {
    Schedules() {
      super(MemoryWithClockLikeKeyValueTest::store);
    }
  }

  @Nested
  final class SchedulerLoop extends SchedulerContract {
    SchedulerLoop() {
      super(MemoryWithClockLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Rights extends RightsContract {
    Rights() {
      super(MemoryWithClockLikeKeyValueTest::store);
    }
  }

  @Nested
  final class Quarantine extends QuarantineContract {
    Quarantine() {
      super(MemoryWithClockLikeKeyValueTest::store);
    }
  }
}
