/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

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
import io.wovyr.persistence.jpa.postgresql.PostgresServer;
import io.wovyr.persistence.jpa.postgresql.PostgresqlStorageProvider;
import io.wovyr.persistence.storage.spi.Storage;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/**
 * The repositories over PostgreSQL. All tests share one store, each with a tenant of its own; its
 * clock is the server's, plus what the tests let pass.
 */
final class PostgresqlRepositoriesIT {
  private static PostgresServer.Database database;

  /** For the contract that leaves so much behind that no other one would find its own. */
  private static PostgresServer.Database crowded;

  /** Of those who leave a thousand schedules. */
  private static PostgresServer.Database planned;

  private static Storage anchor;

  @BeforeAll
  static void migrate() throws SQLException {
    database = migrated();
    crowded = migrated();
    planned = migrated();
    // Keeps Hibernate, which all stores of a process share, from being built for every test.
    anchor = new PostgresqlStorageProvider().open(database.settings());
  }

  private static PostgresServer.Database migrated() throws SQLException {
    PostgresServer.Database made = PostgresServer.shared().newDatabase();
    TestClock.install(made);
    new PostgresqlStorageProvider().migrator().migrate(made.migration(), step -> {});
    return made;
  }

  @AfterAll
  static void drop() {
    anchor.close();
    database.close();
    crowded.close();
    planned.close();
  }

  private static TestStore store(TestTime time) {
    return store(database);
  }

  private static TestStore crowdedStore(TestTime time) {
    return store(crowded);
  }

  private static TestStore plannedStore(TestTime time) {
    return store(planned);
  }

  private static TestStore store(PostgresServer.Database database) {
    TestClock.set(database, Duration.ZERO);
    return new TestStore() {
      private Duration ahead = Duration.ZERO;

      @Override
      public Storage open() {
        return new PostgresqlStorageProvider().open(database.settings());
      }

      @Override
      public void passTime(Duration duration) {
        ahead = ahead.plus(duration);
        TestClock.set(database, ahead);
      }

      @Override
      public void close() {}
    };
  }

  @Nested
  final class BadInput extends BadInputContract {
    BadInput() {
      super(PostgresqlRepositoriesIT::store);
    }
  }

  @Nested
  final class Creation extends CreationContract {
    Creation() {
      super(PostgresqlRepositoriesIT::store);
    }
  }

  @Nested
  final class Dispatch extends DispatchContract {
    Dispatch() {
      super(PostgresqlRepositoriesIT::store);
    }
  }

  @Nested
  final class Events extends EventsContract {
    Events() {
      super(PostgresqlRepositoriesIT::store);
    }
  }

  @Nested
  final class Executions extends ExecutionsContract {
    Executions() {
      super(PostgresqlRepositoriesIT::store);
    }
  }

  @Nested
  final class Feed extends FeedContract {
    Feed() {
      super(PostgresqlRepositoriesIT::store);
    }
  }

  @Nested
  final class Keeper extends KeeperContract {
    Keeper() {
      super(PostgresqlRepositoriesIT::store);
    }
  }

  @Nested
  final class LeaseTime extends LeaseTimeContract {
    LeaseTime() {
      super(PostgresqlRepositoriesIT::store);
    }
  }

  @Nested
  final class Leases extends LeasesContract {
    Leases() {
      super(PostgresqlRepositoriesIT::store);
    }
  }

  @Nested
  final class NamedLeases extends NamedLeasesContract {
    NamedLeases() {
      super(PostgresqlRepositoriesIT::store);
    }
  }

  @Nested
  final class EveryNewerVersion extends EveryNewerVersionContract {
    EveryNewerVersion() {
      super(PostgresqlRepositoriesIT::store);
    }
  }

  @Nested
  final class NewerVersions extends NewerVersionsContract {
    NewerVersions() {
      super(PostgresqlRepositoriesIT::store);
    }
  }

  @Nested
  final class LargeValues extends LargeValuesContract {
    LargeValues() {
      super(PostgresqlRepositoriesIT::store);
    }
  }

  @Nested
  final class Purge extends PurgeContract {
    Purge() {
      super(PostgresqlRepositoriesIT::store);
    }
  }

  @Nested
  final class Recovery extends RecoveryContract {
    Recovery() {
      super(PostgresqlRepositoriesIT::store);
    }
  }

  @Nested
  final class Retrying extends RetryingContract {
    Retrying() {
      super(PostgresqlRepositoriesIT::store);
    }
  }

  @Nested
  final class Signals extends SignalsContract {
    Signals() {
      super(PostgresqlRepositoriesIT::store);
    }
  }

  @Nested
  final class StoreClock extends StoreClockContract {
    StoreClock() {
      super(PostgresqlRepositoriesIT::store);
    }
  }

  @Nested
  final class Tenancy extends TenancyContract {
    Tenancy() {
      super(PostgresqlRepositoriesIT::crowdedStore);
    }
  }

  @Nested
  final class UnitOfWork extends UnitOfWorkContract {
    UnitOfWork() {
      super(PostgresqlRepositoriesIT::store);
    }
  }

  @Nested
  final class UnknownLeases extends UnknownLeasesContract {
    UnknownLeases() {
      super(PostgresqlRepositoriesIT::store);
    }
  }

  @Nested
  final class UnknownOutcomes extends UnknownOutcomesContract {
    UnknownOutcomes() {
      super(PostgresqlRepositoriesIT::store);
    }
  }

  @Nested
  final class Values extends ValuesContract {
    Values() {
      super(PostgresqlRepositoriesIT::store);
    }
  }

  @Nested
  final class Activities extends ActivitiesContract {
    Activities() {
      super(PostgresqlRepositoriesIT::store);
    }
  }

  @Nested
  final class Statuses extends StatusesContract {
    Statuses() {
      super(PostgresqlRepositoriesIT::store);
    }
  }

  @Nested
  final class FencedChanges extends FencedChangesContract {
    FencedChanges() {
      super(PostgresqlRepositoriesIT::store);
    }
  }

  @Nested
  final class Compensations extends CompensationsContract {
    Compensations() {
      super(PostgresqlRepositoriesIT::store);
    }
  }

  @Nested
  final class Definitions extends DefinitionsContract {
    Definitions() {
      super(PostgresqlRepositoriesIT::store);
    }
  }

  @Nested
  final class Queries extends QueriesContract {
    Queries() {
      super(PostgresqlRepositoriesIT::store);
    }
  }

  @Nested
  final class Records extends RecordsContract {
    Records() {
      super(PostgresqlRepositoriesIT::store);
    }
  }

  @Nested
  final class Schedules extends SchedulesContract {
    Schedules() {
      super(PostgresqlRepositoriesIT::store);
    }
  }

  @Nested
  final class SchedulerLoop extends SchedulerContract {
    SchedulerLoop() {
      super(PostgresqlRepositoriesIT::plannedStore);
    }
  }

  @Nested
  final class Rights extends RightsContract {
    Rights() {
      super(PostgresqlRepositoriesIT::crowdedStore);
    }
  }

  @Nested
  final class Quarantine extends QuarantineContract {
    Quarantine() {
      super(PostgresqlRepositoriesIT::store);
    }
  }
}
