/*
 * Copyright (c) Wovyr Persistence authors. Licensed under the Apache License, Version 2.0.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.wovyr.persistence.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.wovyr.persistence.CommitResult;
import io.wovyr.persistence.CommitResult.Reason;
import io.wovyr.persistence.Page;
import io.wovyr.persistence.PersistenceException.IllegalTransition;
import io.wovyr.persistence.PersistenceException.InvalidInput;
import io.wovyr.persistence.PersistenceException.UnsupportedVersion;
import io.wovyr.persistence.RecordHeader;
import io.wovyr.persistence.Repositories;
import io.wovyr.persistence.definition.DefinitionPolicies;
import io.wovyr.persistence.definition.DefinitionPolicies.Policy;
import io.wovyr.persistence.definition.DefinitionStatus;
import io.wovyr.persistence.definition.Definitions;
import io.wovyr.persistence.definition.EffectivePolicy;
import io.wovyr.persistence.definition.EffectivePolicy.Source;
import io.wovyr.persistence.definition.NewDefinition;
import io.wovyr.persistence.definition.WorkflowDefinition;
import io.wovyr.persistence.execution.DefinitionRef;
import io.wovyr.persistence.execution.NewExecution;
import io.wovyr.persistence.execution.WorkflowExecution;
import io.wovyr.persistence.payload.Payload;
import io.wovyr.persistence.storage.spi.Batch;
import io.wovyr.persistence.storage.spi.Key;
import io.wovyr.persistence.storage.spi.Mutation;
import io.wovyr.persistence.storage.spi.RecordTypes;
import io.wovyr.persistence.storage.spi.Row;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Definitions: versions, bodies, status, and what they mean to new executions. */
public abstract class DefinitionsContract extends RepositoryContract {
  private static final Payload BODY = Payload.json("{\"steps\":[\"reserve\",\"charge\"]}");
  private static final Payload OTHER = Payload.json("{\"steps\":[]}");

  protected DefinitionsContract(TestStore.Factory stores) {
    super(stores);
  }

  private WorkflowDefinition add(NewDefinition definition) {
    return only(committed(repositories().definitions().add(definition)), WorkflowDefinition.class);
  }

  private WorkflowDefinition moved(WorkflowDefinition before, DefinitionStatus to) {
    return only(committed(repositories().definitions().move(before, to)), WorkflowDefinition.class);
  }

  private CommitResult create(DefinitionRef ref) {
    return repositories().executions().create(NewExecution.of(ref));
  }

  @Test
  void aBodyComesBackByteForByteWithItsChecksum() {
    Payload bytes = Payload.of("application/octet-stream", new byte[] {0, -1, 13, 10, 0});
    WorkflowDefinition added = add(NewDefinition.of("order", bytes));

    WorkflowDefinition stored = repositories().definitions().find("order", 1).orElseThrow();
    assertThat(stored).isEqualTo(added);
    assertThat(repositories().definitions().body(stored)).isEqualTo(bytes);
    assertThat(stored.checksum()).matches("sha-256:[0-9a-f]{64}");
    assertThat(stored.policyVersion()).isEqualTo(1);
  }

  @Test
  void aChecksumThatIsNotTheBodysIsRefused() {
    assertThatThrownBy(
            () ->
                repositories()
                    .definitions()
                    .add(NewDefinition.of("order", BODY).withChecksum("sha-256:" + "0".repeat(64))))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("checksum");
    assertThat(repositories().definitions().find("order", 1)).isEmpty();
  }

  @Test
  void theSameVersionWithTheSameBodySucceedsAgainAndWithAnotherIsAConflict() {
    WorkflowDefinition added = add(NewDefinition.of("order", BODY).withVersion(7));

    assertThat(add(NewDefinition.of("order", BODY).withVersion(7))).isEqualTo(added);
    conflict(
        repositories().definitions().add(NewDefinition.of("order", OTHER).withVersion(7)),
        Reason.ALREADY_EXISTS);
    assertThat(repositories().definitions().body(added)).isEqualTo(BODY);
  }

  @Test
  void versionsAreGivenOutOnceWhoeverAddsAtTheSameTime() throws Exception {
    List<CommitResult> results =
        Together.run(
            8,
            i ->
                node()
                    .as(tenant())
                    .definitions()
                    .add(NewDefinition.of("raced", Payload.text("body " + i))));
    assertThat(results).allMatch(CommitResult::isCommitted);
    Page<WorkflowDefinition> versions =
        repositories().definitions().versions("raced", 100, Optional.empty());
    assertThat(versions.items())
        .extracting(WorkflowDefinition::definitionVersion)
        .containsExactly(8, 7, 6, 5, 4, 3, 2, 1);
  }

  @Test
  void archivingOnlyHides() {
    WorkflowDefinition one = add(NewDefinition.of("order", BODY));
    WorkflowDefinition two = add(NewDefinition.of("order", OTHER));
    WorkflowExecution running = only(committed(create(two.ref())), WorkflowExecution.class);
    assertThat(running.definitionDigest()).isEqualTo(two.checksum());

    WorkflowDefinition archived = moved(two, DefinitionStatus.ARCHIVED);

    assertThat(archived.archivedAt()).isPresent();
    assertThat(repositories().definitions().body(archived)).isEqualTo(OTHER);
    assertThat(repositories().definitions().latest("order")).contains(one);
    assertThat(repositories().definitions().list(Optional.empty(), 100, Optional.empty()).items())
        .containsExactly(one);
    assertThat(
            repositories()
                .definitions()
                .list(Optional.of(DefinitionStatus.ARCHIVED), 100, Optional.empty())
                .items())
        .containsExactly(archived);
    assertThatThrownBy(() -> create(two.ref()))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("ARCHIVED");
    running(running.id());
    assertThat(moved(archived, DefinitionStatus.ACTIVE).archivedAt()).isEmpty();
    committed(create(two.ref()));
  }

  @Test
  void howeverManyAreArchivedTheyArePassedOverByWholePages() {
    List<WorkflowDefinition> kept = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      WorkflowDefinition added = add(NewDefinition.of("order-%02d".formatted(i), BODY));
      if (i < 9 || i == 30) {
        kept.add(added);
      } else {
        moved(added, DefinitionStatus.ARCHIVED);
      }
    }
    for (int limit = 1; limit <= 12; limit++) {
      assertThat(unarchived(limit)).as("pages of %d", limit).isEqualTo(kept);
    }
    moved(kept.remove(9), DefinitionStatus.ARCHIVED);

    long before = node().probe().reads();
    assertThat(repositories().definitions().list(Optional.empty(), 10, Optional.empty()).items())
        .isEqualTo(kept);
    assertThat(node().probe().reads() - before)
        .as("one was still to be found: not 31 reads of one row each")
        .isLessThanOrEqualTo(16);
  }

  @Test
  void aPageThatEndsAfterManyArchivedOnesIsNotReadRowByRow() {
    List<WorkflowDefinition> kept = new ArrayList<>();
    for (int i = 0; i < 80; i++) {
      WorkflowDefinition added = add(NewDefinition.of("order-%02d".formatted(i), BODY));
      if (i < 39 || i >= 78) {
        kept.add(added);
      } else {
        moved(added, DefinitionStatus.ARCHIVED);
      }
    }
    long before = node().probe().reads();
    Page<WorkflowDefinition> page =
        repositories().definitions().list(Optional.empty(), 40, Optional.empty());
    long reads = node().probe().reads() - before;

    assertThat(page.items()).isEqualTo(kept.subList(0, 40));
    assertThat(repositories().definitions().list(Optional.empty(), 40, page.next()).items())
        .isEqualTo(kept.subList(40, 41));
    // A store may end a page at half of what was asked for, or before its first row.
    assertThat(reads).as("not the 39 archived ones by a read each").isLessThanOrEqualTo(18);
    assertThat(unarchived(40)).isEqualTo(kept);
  }

  private List<WorkflowDefinition> unarchived(int limit) {
    List<WorkflowDefinition> listed = new ArrayList<>();
    Optional<String> next = Optional.empty();
    do {
      Page<WorkflowDefinition> page =
          repositories().definitions().list(Optional.empty(), limit, next);
      assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
      listed.addAll(page.items());
      next = page.next();
    } while (next.isPresent());
    return listed;
  }

  @Test
  void whoCreatesFromADefinitionDoesNotWaitForOthersWhoDo() {
    WorkflowDefinition definition = add(NewDefinition.of("order", BODY));
    int before = node().probe().sent().size();

    List<CommitResult> results = Together.run(16, i -> create(definition.ref()));

    assertThat(results).allMatch(CommitResult::isCommitted);
    List<Batch> sent = node().probe().sent();
    assertThat(sent.size() - before).isGreaterThanOrEqualTo(16);
    assertThat(sent.subList(before, sent.size()))
        .as("no creation writes its definition, or depends on its version")
        .flatExtracting(DefinitionsContract::keysOf)
        .extracting(Key::type)
        .doesNotContain(RecordTypes.DEFINITION)
        .contains(RecordTypes.EXECUTION);
    assertThat(repositories().definitions().find("order", 1)).contains(definition);
  }

  /** All that a batch writes or depends on. */
  private static List<Key> keysOf(Batch batch) {
    return Stream.concat(
            batch.mutations().stream().map(Mutation::key),
            batch.checks().stream().map(Batch.VersionIs::key))
        .toList();
  }

  @Test
  void aDefinitionThatChangesMeanwhileDoesNotRefuseACreation() {
    WorkflowDefinition definition = add(NewDefinition.of("order", BODY));
    Repositories admin = newNode().as(tenant());
    DefinitionPolicies policies = DefinitionPolicies.DEFAULTS.with(Policy.RETENTION_LATEST, "5");
    node()
        .probe()
        .beforeNextCommit(() -> committed(admin.definitions().setPolicies(definition, policies)));
    committed(create(definition.ref()));

    WorkflowDefinition changed = admin.definitions().find("order", 1).orElseThrow();
    node()
        .probe()
        .beforeNextCommit(
            () -> committed(admin.definitions().move(changed, DefinitionStatus.ARCHIVED)));
    committed(create(definition.ref()));
    assertThatThrownBy(() -> create(definition.ref()))
        .as("who begins after the archiving")
        .isInstanceOf(InvalidInput.class);
  }

  @Test
  void aRepeatedCreationSucceedsAfterItsDefinitionWasArchived() {
    WorkflowDefinition definition = add(NewDefinition.of("order", BODY));
    NewExecution execution = NewExecution.of(definition.ref()).withId(UUID.randomUUID());
    committed(repositories().executions().create(execution));
    moved(definition, DefinitionStatus.ARCHIVED);

    committed(repositories().executions().create(execution));
  }

  @Test
  void nothingIsCreatedFromADraftOrUnderAnotherChecksum() {
    WorkflowDefinition draft = add(NewDefinition.of("order", BODY).asDraft());
    assertThatThrownBy(() -> create(draft.ref())).isInstanceOf(InvalidInput.class);

    WorkflowDefinition active = moved(draft, DefinitionStatus.ACTIVE);
    assertThatThrownBy(() -> create(new DefinitionRef("order", 1, "sha-256:" + "1".repeat(64))))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("checksum");
    WorkflowExecution execution =
        only(committed(create(DefinitionRef.of("order", 1))), WorkflowExecution.class);
    assertThat(execution.definition()).isEqualTo(active.ref());
  }

  @Test
  void onlyADraftsBodyChanges() {
    WorkflowDefinition draft = add(NewDefinition.of("order", BODY).asDraft());
    WorkflowDefinition changed =
        only(
            committed(repositories().definitions().replaceBody(draft, OTHER)),
            WorkflowDefinition.class);
    assertThat(repositories().definitions().body(changed)).isEqualTo(OTHER);
    conflict(repositories().definitions().replaceBody(draft, BODY), Reason.STALE_VERSION);

    WorkflowDefinition active = moved(changed, DefinitionStatus.ACTIVE);
    assertThatThrownBy(() -> repositories().definitions().replaceBody(active, BODY))
        .isInstanceOf(IllegalTransition.class);
    assertThatThrownBy(() -> repositories().definitions().move(active, DefinitionStatus.DRAFT))
        .isInstanceOf(IllegalTransition.class)
        .hasMessageContaining("DEPRECATED");
  }

  @Test
  void policiesAreVersionedAndChecked() {
    WorkflowDefinition definition = add(NewDefinition.of("order", BODY));
    DefinitionPolicies policies =
        DefinitionPolicies.DEFAULTS
            .with(Policy.RETENTION_LATEST, "5")
            .with(Policy.CHECKPOINT_TRIGGERS, "created,periodic");
    WorkflowDefinition changed =
        only(
            committed(repositories().definitions().setPolicies(definition, policies)),
            WorkflowDefinition.class);

    assertThat(changed.policyVersion()).isEqualTo(2);
    assertThat(DefinitionPolicies.ofEntries(changed.policies())).isEqualTo(policies);
    assertThatThrownBy(() -> DefinitionPolicies.of(Map.of("retention.keep-latest", "many")))
        .isInstanceOf(InvalidInput.class);
    for (String triggers : List.of("created, periodic", "none", "created,", "created;periodic")) {
      assertThatThrownBy(() -> DefinitionPolicies.of(Map.of("checkpoint.triggers", triggers)))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("checkpoint.triggers is one or some of [created, ")
          .hasMessageContaining("joined by commas without blanks");
    }
    assertThatThrownBy(() -> DefinitionPolicies.of(Map.of("retention.keep", "1")))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("retention.keep-latest");
  }

  /** Without a newest checkpoint there would be nothing to recover from. */
  @Test
  void atLeastOneCheckpointIsKept() {
    assertThatThrownBy(() -> DefinitionPolicies.DEFAULTS.with(Policy.RETENTION_LATEST, "0"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContainingAll("retention.keep-latest", "1 or more");
    assertThat(DefinitionPolicies.DEFAULTS.with(Policy.RETENTION_DAILY, "0").values()).hasSize(1);
  }

  @Test
  void aPolicyIsWhatTheDefinitionSaysElseTheSettingElseTheDefault() {
    Repositories set =
        newNode(
                Duration.ZERO,
                Map.of(
                    "wovyr.policy.retention.keep-latest", "9",
                    "wovyr.policy.checkpoint.period", "PT1H"))
            .as(tenant());
    WorkflowDefinition own =
        add(
            NewDefinition.of("order", BODY)
                .withPolicies(DefinitionPolicies.DEFAULTS.with(Policy.RETENTION_LATEST, "5")));

    List<EffectivePolicy> policies = set.definitions().policies(own);

    assertThat(policies).extracting(EffectivePolicy::policy).containsExactly(Policy.values());
    assertThat(policies)
        .contains(
            new EffectivePolicy(Policy.RETENTION_LATEST, "5", Source.DEFINITION),
            new EffectivePolicy(Policy.CHECKPOINT_PERIOD, "PT1H", Source.SETTING),
            new EffectivePolicy(Policy.RETENTION_DAILY, "0", Source.DEFAULT));
    assertThat(set.definitions().policies(own.ref())).isEqualTo(policies);
    assertThat(set.definitions().policies(DefinitionRef.of("not stored here", 1)))
        .contains(new EffectivePolicy(Policy.RETENTION_LATEST, "9", Source.SETTING));
    assertThat(repositories().definitions().policies(own))
        .contains(new EffectivePolicy(Policy.CHECKPOINT_PERIOD, "PT5M", Source.DEFAULT));
  }

  @Test
  void aSettingDecidesWhereTheDefinitionSaysNothing() {
    Repositories lenient =
        newNode(Duration.ZERO, Map.of("wovyr.policy.execution.workflow-id-reuse", "allow"))
            .as(tenant());
    WorkflowDefinition silent = add(NewDefinition.of("silent", BODY));
    WorkflowDefinition strict =
        add(
            NewDefinition.of("strict", BODY)
                .withPolicies(
                    DefinitionPolicies.DEFAULTS.with(Policy.WORKFLOW_ID_REUSE, "reject-live")));
    NewExecution reused = NewExecution.of(silent.ref()).withWorkflowId("reused");
    NewExecution unique = NewExecution.of(strict.ref()).withWorkflowId("unique");

    committed(lenient.executions().create(reused));
    committed(lenient.executions().create(reused));
    committed(lenient.executions().create(unique));
    conflict(lenient.executions().create(unique), Reason.UNIQUE_KEY_TAKEN);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "RETENTION_LATEST    | 0                         | 1",
        "RETENTION_LATEST    | 00                        | 1",
        "CHECKPOINT_TRIGGERS | periodic,created,periodic | periodic,created",
        "CHECKPOINT_PERIOD   | pt5\u017f                 | pt5s"
      })
  void whatAnEarlierVersionTookIsReadAndReplaced(Policy policy, String taken, String read) {
    add(NewDefinition.of("order", BODY));
    Row row = rawRow(Key.of(RecordTypes.DEFINITION, "order", 1));
    List<String> entries = List.of(policy.policyName() + "=" + taken);
    rawCommit(
        new Mutation.Update(row, row.with(nextVersion(row.header())).with("policies", entries)));
    WorkflowDefinition stored = repositories().definitions().find("order", 1).orElseThrow();

    assertThat(repositories().definitions().policies(stored))
        .contains(new EffectivePolicy(policy, read, Source.DEFINITION));
    committed(create(stored.ref()));
    assertThatThrownBy(() -> DefinitionPolicies.DEFAULTS.with(policy, taken))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining(policy.policyName());
    WorkflowDefinition replaced =
        only(
            committed(
                repositories()
                    .definitions()
                    .setPolicies(stored, DefinitionPolicies.DEFAULTS.with(policy, read))),
            WorkflowDefinition.class);
    assertThat(replaced.policies()).containsExactly(policy.policyName() + "=" + read);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "checkpoint.invented=yes",
        "execution.workflow-id-reuse=ask-first",
        "checkpoint.triggers=created,on-a-whim",
        "retention.keep-latest=all",
        "checkpoint.period=weekly"
      })
  @DisplayName("C032: a policy that a newer node gave is neither guessed, overlooked nor lost")
  void aPolicyOfANewerNodeIsUnsupported(String entry) {
    WorkflowDefinition before = add(NewDefinition.of("order", BODY));
    Key key = Key.of(RecordTypes.DEFINITION, "order", 1);
    Row row = rawRow(key);
    Row newer = row.with(nextVersion(row.header())).with("policies", List.of(entry));
    rawCommit(new Mutation.Update(row, newer));
    WorkflowDefinition stored = repositories().definitions().find("order", 1).orElseThrow();

    unsupported(() -> repositories().definitions().policies(stored));
    unsupported(() -> repositories().definitions().policies(stored.ref()));
    unsupported(() -> create(stored.ref()));
    unsupported(
        () -> repositories().definitions().setPolicies(stored, DefinitionPolicies.DEFAULTS));

    assertThat(rawRow(key)).isEqualTo(newer);
    assertThat(repositories().definitions().body(stored)).isEqualTo(BODY);
    conflict(
        repositories().definitions().move(before, DefinitionStatus.ARCHIVED), Reason.STALE_VERSION);
    moved(stored, DefinitionStatus.DEPRECATED);
    assertThat(rawRow(key).get("policies")).isEqualTo(List.of(entry));
  }

  private static void unsupported(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(UnsupportedVersion.class)
        .hasMessageContaining("definition order@1");
  }

  private static RecordHeader nextVersion(RecordHeader header) {
    return new RecordHeader(
        header.id(),
        header.tenantId(),
        header.version() + 1,
        header.createdAt(),
        header.updatedAt(),
        "newer-node",
        header.schemaVersion(),
        header.entityVersion(),
        header.serializationVersion(),
        header.extra());
  }

  @Test
  void aWorkflowIdIsReusedWhereThePolicyAllowsIt() {
    WorkflowDefinition strict = add(NewDefinition.of("strict", BODY));
    WorkflowDefinition lenient =
        add(
            NewDefinition.of("lenient", BODY)
                .withPolicies(DefinitionPolicies.DEFAULTS.with(Policy.WORKFLOW_ID_REUSE, "allow")));
    NewExecution one = NewExecution.of(strict.ref()).withWorkflowId("same");
    committed(repositories().executions().create(one));
    conflict(repositories().executions().create(one), Reason.UNIQUE_KEY_TAKEN);

    NewExecution two = NewExecution.of(lenient.ref()).withWorkflowId("same");
    committed(repositories().executions().create(two));
    committed(repositories().executions().create(two));
  }

  @Test
  void listsArePaged() {
    IntStream.range(0, 7).forEach(i -> add(NewDefinition.of("d" + i, BODY)));
    var first = repositories().definitions().list(Optional.empty(), 4, Optional.empty());
    var second = repositories().definitions().list(Optional.empty(), 4, first.next());
    assertThat(first.items())
        .extracting(WorkflowDefinition::name)
        .containsExactly("d0", "d1", "d2", "d3");
    assertThat(second.items())
        .extracting(WorkflowDefinition::name)
        .containsExactly("d4", "d5", "d6");
  }

  @Test
  void anotherTenantSeesNothingOfIt() {
    add(NewDefinition.of("order", BODY));
    var other = node().as(tenant() + "-other").definitions();
    assertThat(other.find("order", 1)).isEmpty();
    assertThat(other.latest("order")).isEmpty();
    assertThat(other.list(Optional.empty(), 10, Optional.empty()).items()).isEmpty();
  }

  @Test
  void aChangeOfADefinitionChangesNothingElseOfIt() {
    WorkflowDefinition stored = add(NewDefinition.of("order", BODY).asDraft());
    Definitions definitions = repositories().definitions();

    WorkflowDefinition active =
        only(
            committed(definitions.move(forged(stored), DefinitionStatus.ACTIVE)),
            WorkflowDefinition.class);
    assertThat(active).isEqualTo(definitions.find("order", 1).orElseThrow());
    assertThat(active.body()).isEqualTo(stored.body());
    assertThat(active.checksum()).isEqualTo(stored.checksum());
    assertThat(active.policyVersion()).isEqualTo(1);
    assertThat(active.header().createdAt()).isEqualTo(stored.header().createdAt());
    assertThatThrownBy(() -> definitions.replaceBody(forged(active), OTHER))
        .as("a draft by what the record says, not by what is stored")
        .isInstanceOf(IllegalTransition.class)
        .hasMessageContaining("ACTIVE");

    DefinitionPolicies policies = DefinitionPolicies.DEFAULTS.with(Policy.RETENTION_LATEST, "5");
    WorkflowDefinition changed =
        only(
            committed(definitions.setPolicies(forged(active), policies)), WorkflowDefinition.class);
    assertThat(changed.status()).isEqualTo(DefinitionStatus.ACTIVE);
    assertThat(changed.policyVersion()).isEqualTo(2);
    assertThat(definitions.body(changed)).isEqualTo(BODY);

    WorkflowDefinition draft = add(NewDefinition.of("other", BODY).asDraft());
    WorkflowDefinition replaced =
        only(committed(definitions.replaceBody(forged(draft), OTHER)), WorkflowDefinition.class);
    assertThat(replaced.policies()).isEqualTo(draft.policies());
    assertThat(replaced.status()).isEqualTo(DefinitionStatus.DRAFT);
  }

  @Test
  void aDefinitionOfTheSameNameThatIsAnotherRecordIsNotChanged() {
    WorkflowDefinition stored = add(NewDefinition.of("order", BODY));
    WorkflowDefinition elsewhere =
        withHeader(stored, header(stored.header(), UUID.randomUUID(), stored.header().createdAt()));
    Definitions definitions = repositories().definitions();

    conflict(definitions.move(elsewhere, DefinitionStatus.DEPRECATED), Reason.NOT_FOUND);
    conflict(definitions.replaceBody(elsewhere, OTHER), Reason.NOT_FOUND);
    conflict(definitions.setPolicies(elsewhere, DefinitionPolicies.DEFAULTS), Reason.NOT_FOUND);
    RecordHeader later = stored.header().next(time().now(), "forger");
    conflict(
        definitions.move(withHeader(stored, later), DefinitionStatus.DEPRECATED),
        Reason.STALE_VERSION);
    assertThat(definitions.find("order", 1)).contains(stored);
  }

  /** The same record, but for all that a caller may not change by the way. */
  private static WorkflowDefinition forged(WorkflowDefinition stored) {
    return new WorkflowDefinition(
        header(stored.header(), stored.header().id(), Instant.EPOCH),
        stored.name(),
        stored.definitionVersion(),
        DefinitionStatus.DRAFT,
        "sha-256:" + "0".repeat(64),
        Optional.empty(),
        77,
        List.of("retention.keep-latest=99"),
        Optional.of(Instant.EPOCH));
  }

  private static RecordHeader header(RecordHeader header, UUID id, Instant createdAt) {
    return new RecordHeader(
        id,
        header.tenantId(),
        header.version(),
        createdAt,
        header.updatedAt(),
        header.updatedBy(),
        header.schemaVersion(),
        header.entityVersion(),
        header.serializationVersion(),
        header.extra());
  }

  private static WorkflowDefinition withHeader(WorkflowDefinition stored, RecordHeader header) {
    return new WorkflowDefinition(
        header,
        stored.name(),
        stored.definitionVersion(),
        stored.status(),
        stored.checksum(),
        stored.body(),
        stored.policyVersion(),
        stored.policies(),
        stored.archivedAt());
  }
}
