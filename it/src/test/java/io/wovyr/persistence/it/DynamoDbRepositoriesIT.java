/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
import io.wovyr.persistence.core.contract.SharedStores;
import io.wovyr.persistence.core.contract.SignalsContract;
import io.wovyr.persistence.core.contract.StatusesContract;
import io.wovyr.persistence.core.contract.TenancyContract;
import io.wovyr.persistence.core.contract.UnitOfWorkContract;
import io.wovyr.persistence.core.contract.UnknownLeasesContract;
import io.wovyr.persistence.core.contract.UnknownOutcomesContract;
import io.wovyr.persistence.core.contract.ValuesContract;
import io.wovyr.persistence.kv.dynamodb.DynamoDbStorageProvider;
import io.wovyr.persistence.kv.dynamodb.DynoxideServer;
import io.wovyr.persistence.storage.spi.Storage;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/**
 * The repositories over DynamoDB. They take minutes, so they run when {@code
 * -Dwovyr.it.dynamodb=true} asks for them; the conformance kit over it always does.
 */
final class DynamoDbRepositoriesIT {
  private static final SharedStores STORES = new SharedStores(DynamoDbRepositoriesIT::store);

  private static final String WANTED = "wovyr.it.dynamodb";

  private static @Nullable DynoxideServer server;

  @BeforeAll
  static void startAServer() {
    if (!Boolean.getBoolean(WANTED)) {
      System.out.println("NOT RUN: the repositories over DynamoDB: ask with -D" + WANTED + "=true");
    }
    assumeTrue(Boolean.getBoolean(WANTED), "not asked for");
    server = DynoxideServer.start();
  }

  private static Supplier<Storage> store(String name) {
    DynamoDbStorageProvider provider = new DynamoDbStorageProvider();
    Map<String, String> settings = Objects.requireNonNull(server).table(name);
    Objects.requireNonNull(provider.migrator()).migrate(settings, step -> {});
    return () -> provider.open(settings);
  }

  @AfterAll
  static void closeStores() {
    STORES.close();
    if (server != null) {
      server.close();
    }
  }

  @Nested
  final class BadInput extends BadInputContract {
    BadInput() {
      super(time -> STORES.of(BadInput.class));
    }
  }

  @Nested
  final class Creation extends CreationContract {
    Creation() {
      super(time -> STORES.of(Creation.class));
    }
  }

  @Nested
  final class Dispatch extends DispatchContract {
    Dispatch() {
      super(time -> STORES.of(Dispatch.class));
    }
  }

  @Nested
  final class Events extends EventsContract {
    Events() {
      super(time -> STORES.of(Events.class));
    }
  }

  @Nested
  final class Executions extends ExecutionsContract {
    Executions() {
      super(time -> STORES.of(Executions.class));
    }
  }

  @Nested
  final class Feed extends FeedContract {
    Feed() {
      super(time -> STORES.of(Feed.class));
    }
  }

  @Nested
  final class Keeper extends KeeperContract {
    Keeper() {
      super(time -> STORES.of(Keeper.class));
    }
  }

  @Nested
  final class LeaseTime extends LeaseTimeContract {
    LeaseTime() {
      super(time -> STORES.of(LeaseTime.class));
    }
  }

  @Nested
  final class Leases extends LeasesContract {
    Leases() {
      super(time -> STORES.of(Leases.class));
    }
  }

  @Nested
  final class NamedLeases extends NamedLeasesContract {
    NamedLeases() {
      super(time -> STORES.of(NamedLeases.class));
    }
  }

  @Nested
  final class EveryNewerVersion extends EveryNewerVersionContract {
    EveryNewerVersion() {
      super(time -> STORES.of(NewerVersions.class));
    }
  }

  @Nested
  final class NewerVersions extends NewerVersionsContract {
    NewerVersions() {
      super(time -> STORES.of(NewerVersions.class));
    }
  }

  @Nested
  final class NoStoreClock extends NoStoreClockContract {
    NoStoreClock() {
      super(time -> STORES.of(NoStoreClock.class));
    }
  }

  @Nested
  final class LargeValues extends LargeValuesContract {
    LargeValues() {
      super(time -> STORES.of(LargeValues.class));
    }
  }

  @Nested
  final class Purge extends PurgeContract {
    Purge() {
      super(time -> STORES.of(Purge.class));
    }
  }

  @Nested
  final class Recovery extends RecoveryContract {
    Recovery() {
      super(time -> STORES.of(Recovery.class));
    }
  }

  @Nested
  final class Retrying extends RetryingContract {
    Retrying() {
      super(time -> STORES.of(Retrying.class));
    }
  }

  @Nested
  final class Signals extends SignalsContract {
    Signals() {
      super(time -> STORES.of(Signals.class));
    }
  }

  @Nested
  final class Tenancy extends TenancyContract {
    Tenancy() {
      super(time -> STORES.of(Tenancy.class));
    }
  }

  @Nested
  final class UnitOfWork extends UnitOfWorkContract {
    UnitOfWork() {
      super(time -> STORES.of(UnitOfWork.class));
    }
  }

  @Nested
  final class UnknownLeases extends UnknownLeasesContract {
    UnknownLeases() {
      super(time -> STORES.of(UnknownLeases.class));
    }
  }

  @Nested
  final class UnknownOutcomes extends UnknownOutcomesContract {
    UnknownOutcomes() {
      super(time -> STORES.of(UnknownOutcomes.class));
    }
  }

  @Nested
  final class Values extends ValuesContract {
    Values() {
      super(time -> STORES.of(Values.class));
    }
  }

  @Nested
  final class Activities extends ActivitiesContract {
    Activities() {
      super(time -> STORES.of(Activities.class));
    }
  }

  @Nested
  final class Statuses extends StatusesContract {
    Statuses() {
      super(time -> STORES.of(Statuses.class));
    }
  }

  @Nested
  final class FencedChanges extends FencedChangesContract {
    FencedChanges() {
      super(time -> STORES.of(FencedChanges.class));
    }
  }

  @Nested
  final class Compensations extends CompensationsContract {
    Compensations() {
      super(time -> STORES.of(Compensations.class));
    }
  }

  @Nested
  final class Definitions extends DefinitionsContract {
    Definitions() {
      super(time -> STORES.of(Definitions.class));
    }
  }

  @Nested
  final class Queries extends QueriesContract {
    Queries() {
      super(time -> STORES.of(Queries.class));
    }
  }

  @Nested
  final class Records extends RecordsContract {
    Records() {
      super(time -> STORES.of(Records.class));
    }

    /** Its partitions have no common order to find tenants by. */
    @Override
    protected boolean tellsSizesOfAllTenants() {
      return false;
    }
  }

  @Nested
  final class Schedules extends SchedulesContract {
    Schedules() {
      super(time -> STORES.of(Schedules.class));
    }
  }

  @Nested
  final class SchedulerLoop extends SchedulerContract {
    SchedulerLoop() {
      super(time -> STORES.of(SchedulerLoop.class));
    }
  }

  @Nested
  final class Rights extends RightsContract {
    Rights() {
      super(time -> STORES.of(Rights.class));
    }
  }

  @Nested
  final class Quarantine extends QuarantineContract {
    Quarantine() {
      super(time -> STORES.of(Quarantine.class));
    }
  }
}
