--liquibase formatted sql

-- The schema of the SQLite store. A released step is never edited: a change is a new step at the end, and the
-- last step of a release raises wovyr_store.schema_version. Every step has its rollback, and a test runs it.
-- A comment on a new step stands below its first line: what stands above belongs to the step before, which it changes.
-- Every step can be run twice: a process killed after a step but before Liquibase noted it runs it again.
-- INTEGER holds numbers, booleans (0, 1) and instants (microseconds since 1970, UTC); BLOB holds ids (16 bytes),
-- bytes and payload envelopes; a list of texts is a JSON array. Texts compare by their bytes.

--changeset wovyr:0001-store
CREATE TABLE IF NOT EXISTS wovyr_store (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  store_id BLOB NOT NULL CHECK (length(store_id) = 16),
  epoch INTEGER NOT NULL CHECK (epoch >= 1),
  schema_version INTEGER NOT NULL,
  format_version INTEGER NOT NULL
) STRICT;
INSERT OR IGNORE INTO wovyr_store (id, store_id, epoch, schema_version, format_version)
  VALUES (1, unhex(substr(hex(randomblob(6)), 1, 12) || '4' || substr(hex(randomblob(2)), 1, 3)
    || substr('89AB', 1 + (abs(random()) % 4), 1) || substr(hex(randomblob(8)), 1, 15)), 1, 0, 1);
--rollback DROP TABLE wovyr_store;

--changeset wovyr:0002-execution
CREATE TABLE IF NOT EXISTS execution (
  tenant_id TEXT NOT NULL CHECK (tenant_id <> ''),
  id BLOB NOT NULL CHECK (length(id) = 16),
  record_id BLOB NOT NULL CHECK (length(record_id) = 16),
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  updated_by TEXT NOT NULL,
  schema_version INTEGER NOT NULL,
  entity_version INTEGER NOT NULL,
  serialization_version INTEGER NOT NULL,
  extra BLOB,
  workflow_id TEXT NOT NULL,
  live_workflow_id TEXT,
  status TEXT NOT NULL,
  paused_from TEXT,
  definition_name TEXT NOT NULL,
  definition_version INTEGER NOT NULL,
  definition_digest TEXT NOT NULL,
  parent_id BLOB CHECK (length(parent_id) = 16),
  search_attributes TEXT NOT NULL,
  input BLOB,
  outcome BLOB,
  closed_at INTEGER,
  PRIMARY KEY (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS execution_live_workflow ON execution (tenant_id, live_workflow_id)
  WHERE live_workflow_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS execution_by_status ON execution (tenant_id, status, id);
--rollback DROP TABLE execution;

--changeset wovyr:0003-execution-head
CREATE TABLE IF NOT EXISTS execution_head (
  tenant_id TEXT NOT NULL CHECK (tenant_id <> ''),
  execution_id BLOB NOT NULL CHECK (length(execution_id) = 16),
  record_id BLOB NOT NULL CHECK (length(record_id) = 16),
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  updated_by TEXT NOT NULL,
  schema_version INTEGER NOT NULL,
  entity_version INTEGER NOT NULL,
  serialization_version INTEGER NOT NULL,
  extra BLOB,
  last_sequence INTEGER NOT NULL,
  low_water_mark INTEGER NOT NULL,
  closed INTEGER NOT NULL CHECK (closed IN (0, 1)),
  fencing_token INTEGER NOT NULL,
  owner TEXT,
  lease_id BLOB CHECK (length(lease_id) = 16),
  lease_expires_at INTEGER,
  lease_ttl INTEGER,
  renewals INTEGER NOT NULL,
  acquisitions_without_progress INTEGER NOT NULL,
  paused INTEGER NOT NULL CHECK (paused IN (0, 1)),
  parked INTEGER NOT NULL CHECK (parked IN (0, 1)),
  due_at INTEGER,
  last_checkpoint_id BLOB CHECK (length(last_checkpoint_id) = 16),
  PRIMARY KEY (tenant_id, execution_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS execution_head_held ON execution_head (tenant_id, owner, execution_id) WHERE owner IS NOT NULL;
CREATE INDEX IF NOT EXISTS execution_head_due ON execution_head (due_at, tenant_id, execution_id) WHERE due_at IS NOT NULL;
--rollback DROP TABLE execution_head;

-- The feed key is the row's number in the table: appending is one insert at the right edge, and the next key is
-- read off the same edge.
--changeset wovyr:0004-workflow-event
CREATE TABLE IF NOT EXISTS workflow_event (
  feed_key INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL CHECK (tenant_id <> ''),
  execution_id BLOB NOT NULL CHECK (length(execution_id) = 16),
  sequence INTEGER NOT NULL CHECK (sequence >= 1),
  record_id BLOB NOT NULL CHECK (length(record_id) = 16),
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  updated_by TEXT NOT NULL,
  schema_version INTEGER NOT NULL,
  entity_version INTEGER NOT NULL,
  serialization_version INTEGER NOT NULL,
  extra BLOB,
  type TEXT NOT NULL,
  correlation_id BLOB CHECK (length(correlation_id) = 16),
  causation_id BLOB CHECK (length(causation_id) = 16),
  dedupe_key TEXT,
  fencing_token INTEGER NOT NULL,
  commit_id BLOB NOT NULL CHECK (length(commit_id) = 16),
  payload BLOB,
  changes BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS workflow_event_key ON workflow_event (tenant_id, execution_id, sequence);
CREATE UNIQUE INDEX IF NOT EXISTS workflow_event_dedupe ON workflow_event (tenant_id, execution_id, dedupe_key)
  WHERE dedupe_key IS NOT NULL;
CREATE INDEX IF NOT EXISTS workflow_event_by_correlation ON workflow_event (tenant_id, correlation_id, execution_id, sequence)
  WHERE correlation_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS workflow_event_by_causation ON workflow_event (tenant_id, causation_id, execution_id, sequence)
  WHERE causation_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS workflow_event_feed ON workflow_event (tenant_id, feed_key);
--rollback DROP TABLE workflow_event;

-- A purge permit can only live inside a transaction: it points, deferred, to a row that can never be, so no
-- transaction that still holds one commits. (Needs foreign_keys = ON; other tools must set it too.)
-- A feed mark says that at one place of the feed the rows up to another were purged: who began to read before that
-- and has not come so far misses them. The marks of the whole feed have the empty tenant.
--changeset wovyr:0005-purge-permit
CREATE TABLE IF NOT EXISTS purge_permit_end (id INTEGER PRIMARY KEY CHECK (id IS NULL AND id IS NOT NULL)) STRICT;
CREATE TABLE IF NOT EXISTS purge_permit (
  id INTEGER PRIMARY KEY,
  ends INTEGER NOT NULL REFERENCES purge_permit_end (id) DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE IF NOT EXISTS feed_mark (
  tenant_id TEXT NOT NULL,
  purged_at INTEGER NOT NULL,
  purged_to INTEGER NOT NULL CHECK (purged_to < purged_at),
  PRIMARY KEY (tenant_id, purged_at)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS feed_mark_purged_to ON feed_mark (tenant_id, purged_to);
CREATE INDEX IF NOT EXISTS feed_mark_highest ON feed_mark (purged_at);
--rollback DROP TABLE feed_mark;
--rollback DROP TABLE purge_permit;
--rollback DROP TABLE purge_permit_end;

--changeset wovyr:0006-event-never-updated splitStatements:false
CREATE TRIGGER IF NOT EXISTS workflow_event_never_updated BEFORE UPDATE ON workflow_event
BEGIN
  SELECT RAISE(ABORT, 'workflow_event is append-only');
END;
--rollback DROP TRIGGER workflow_event_never_updated;

--changeset wovyr:0007-event-deleted-by-purge-only splitStatements:false
CREATE TRIGGER IF NOT EXISTS workflow_event_deleted_by_purge_only BEFORE DELETE ON workflow_event
WHEN NOT EXISTS (SELECT 1 FROM purge_permit)
BEGIN
  SELECT RAISE(ABORT, 'workflow_event is append-only');
END;
--rollback DROP TRIGGER workflow_event_deleted_by_purge_only;

--changeset wovyr:0008-named-lease
CREATE TABLE IF NOT EXISTS named_lease (
  tenant_id TEXT NOT NULL CHECK (tenant_id <> ''),
  name TEXT NOT NULL,
  record_id BLOB NOT NULL CHECK (length(record_id) = 16),
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  updated_by TEXT NOT NULL,
  schema_version INTEGER NOT NULL,
  entity_version INTEGER NOT NULL,
  serialization_version INTEGER NOT NULL,
  extra BLOB,
  fencing_token INTEGER NOT NULL,
  owner TEXT,
  lease_id BLOB CHECK (length(lease_id) = 16),
  lease_expires_at INTEGER,
  lease_ttl INTEGER,
  renewals INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, name)
) STRICT, WITHOUT ROWID;
--rollback DROP TABLE named_lease;

--changeset wovyr:0009-commit-marker
CREATE TABLE IF NOT EXISTS commit_marker (
  tenant_id TEXT NOT NULL CHECK (tenant_id <> ''),
  commit_id BLOB NOT NULL CHECK (length(commit_id) = 16),
  record_id BLOB NOT NULL CHECK (length(record_id) = 16),
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  updated_by TEXT NOT NULL,
  schema_version INTEGER NOT NULL,
  entity_version INTEGER NOT NULL,
  serialization_version INTEGER NOT NULL,
  extra BLOB,
  voided INTEGER NOT NULL CHECK (voided IN (0, 1)),
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, commit_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS commit_marker_expiry ON commit_marker (expires_at, tenant_id, commit_id);
--rollback DROP TABLE commit_marker;

--changeset wovyr:0010-feed-cursor
CREATE TABLE IF NOT EXISTS feed_cursor (
  tenant_id TEXT NOT NULL CHECK (tenant_id <> ''),
  name TEXT NOT NULL,
  record_id BLOB NOT NULL CHECK (length(record_id) = 16),
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  updated_by TEXT NOT NULL,
  schema_version INTEGER NOT NULL,
  entity_version INTEGER NOT NULL,
  serialization_version INTEGER NOT NULL,
  extra BLOB,
  epoch INTEGER NOT NULL,
  position TEXT NOT NULL,
  PRIMARY KEY (tenant_id, name)
) STRICT, WITHOUT ROWID;
--rollback DROP TABLE feed_cursor;

--changeset wovyr:0011-schema-version-1
UPDATE wovyr_store SET schema_version = 1;
--rollback UPDATE wovyr_store SET schema_version = 0;

--changeset wovyr:0012-revision
-- History of the lifecycle, written by Hibernate Envers in the same transaction: a revision for each commit, and the
-- row as it was then, without payloads. Revisions are numbered under the write lock. Nothing removes history, so its
-- triggers know no permit.
CREATE TABLE IF NOT EXISTS revision (
  rev INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL CHECK (tenant_id <> ''),
  at_millis INTEGER NOT NULL,
  actor TEXT NOT NULL,
  commit_id BLOB NOT NULL CHECK (length(commit_id) = 16),
  correlation_id BLOB CHECK (length(correlation_id) = 16)
) STRICT;
CREATE INDEX IF NOT EXISTS revision_by_tenant ON revision (tenant_id, rev);
--rollback DROP TABLE revision;

--changeset wovyr:0013-execution-aud
CREATE TABLE IF NOT EXISTS execution_aud (
  tenant_id TEXT NOT NULL CHECK (tenant_id <> ''),
  id BLOB NOT NULL CHECK (length(id) = 16),
  rev INTEGER NOT NULL,
  revtype INTEGER NOT NULL,
  record_id BLOB CHECK (length(record_id) = 16),
  created_at INTEGER,
  updated_at INTEGER,
  updated_by TEXT,
  schema_version INTEGER,
  entity_version INTEGER,
  serialization_version INTEGER,
  workflow_id TEXT,
  live_workflow_id TEXT,
  status TEXT,
  paused_from TEXT,
  definition_name TEXT,
  definition_version INTEGER,
  definition_digest TEXT,
  parent_id BLOB CHECK (length(parent_id) = 16),
  search_attributes TEXT,
  closed_at INTEGER,
  PRIMARY KEY (tenant_id, id, rev)
) STRICT;
CREATE INDEX IF NOT EXISTS execution_aud_revision ON execution_aud (tenant_id, rev);
--rollback DROP TABLE execution_aud;

--changeset wovyr:0014-revision-never-updated splitStatements:false
CREATE TRIGGER IF NOT EXISTS revision_never_updated BEFORE UPDATE ON revision
BEGIN
  SELECT RAISE(ABORT, 'revision is append-only');
END;
--rollback DROP TRIGGER revision_never_updated;

--changeset wovyr:0015-revision-never-deleted splitStatements:false
CREATE TRIGGER IF NOT EXISTS revision_never_deleted BEFORE DELETE ON revision
BEGIN
  SELECT RAISE(ABORT, 'revision is append-only');
END;
--rollback DROP TRIGGER revision_never_deleted;

--changeset wovyr:0016-execution-aud-never-updated splitStatements:false
CREATE TRIGGER IF NOT EXISTS execution_aud_never_updated BEFORE UPDATE ON execution_aud
BEGIN
  SELECT RAISE(ABORT, 'execution_aud is append-only');
END;
--rollback DROP TRIGGER execution_aud_never_updated;

--changeset wovyr:0017-execution-aud-never-deleted splitStatements:false
CREATE TRIGGER IF NOT EXISTS execution_aud_never_deleted BEFORE DELETE ON execution_aud
BEGIN
  SELECT RAISE(ABORT, 'execution_aud is append-only');
END;
--rollback DROP TRIGGER execution_aud_never_deleted;

--changeset wovyr:0018-schema-version-2
UPDATE wovyr_store SET schema_version = 2;
--rollback UPDATE wovyr_store SET schema_version = 1;

--changeset wovyr:0019-execution-started-at
--preconditions onFail:MARK_RAN
--precondition-sql-check expectedResult:0 SELECT count(*) FROM pragma_table_info('execution') WHERE name = 'started_at'
-- When an execution was created, for its indexes.
ALTER TABLE execution ADD COLUMN started_at INTEGER NOT NULL DEFAULT 0;
--rollback ALTER TABLE execution DROP COLUMN started_at;

--changeset wovyr:0020-execution-aud-started-at
--preconditions onFail:MARK_RAN
--precondition-sql-check expectedResult:0 SELECT count(*) FROM pragma_table_info('execution_aud') WHERE name = 'started_at'
ALTER TABLE execution_aud ADD COLUMN started_at INTEGER;
--rollback ALTER TABLE execution_aud DROP COLUMN started_at;

--changeset wovyr:0021-execution-indexes
UPDATE execution SET started_at = created_at WHERE started_at = 0;
DROP INDEX IF EXISTS execution_by_status;
CREATE INDEX IF NOT EXISTS execution_by_status ON execution (tenant_id, status, started_at, id);
CREATE INDEX IF NOT EXISTS execution_by_time ON execution (tenant_id, started_at, id);
CREATE INDEX IF NOT EXISTS execution_by_definition ON execution (tenant_id, definition_name, started_at, id);
CREATE INDEX IF NOT EXISTS execution_by_workflow ON execution (tenant_id, workflow_id, started_at, id);
CREATE INDEX IF NOT EXISTS execution_by_parent ON execution (tenant_id, parent_id, started_at, id)
  WHERE parent_id IS NOT NULL;
--rollback DROP INDEX execution_by_status;
--rollback DROP INDEX execution_by_time;
--rollback DROP INDEX execution_by_definition;
--rollback DROP INDEX execution_by_workflow;
--rollback DROP INDEX execution_by_parent;
--rollback CREATE INDEX execution_by_status ON execution (tenant_id, status, id);

-- One entry for each element of the list, kept by triggers in whatever way a row is written.

--changeset wovyr:0022-execution-by-attribute
CREATE TABLE IF NOT EXISTS execution_by_attribute (
  tenant_id TEXT NOT NULL CHECK (tenant_id <> ''),
  search_attributes TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  id BLOB NOT NULL CHECK (length(id) = 16),
  PRIMARY KEY (tenant_id, search_attributes, started_at, id)
) STRICT, WITHOUT ROWID;
INSERT OR IGNORE INTO execution_by_attribute
  SELECT x.tenant_id, e.value, x.started_at, x.id FROM execution x, json_each(x.search_attributes) e;
--rollback DROP TABLE execution_by_attribute;

--changeset wovyr:0023-execution-entries-inserted splitStatements:false
CREATE TRIGGER IF NOT EXISTS execution_entries_inserted AFTER INSERT ON execution
BEGIN
  INSERT OR IGNORE INTO execution_by_attribute
    SELECT NEW.tenant_id, e.value, NEW.started_at, NEW.id FROM json_each(NEW.search_attributes) e;
END;
--rollback DROP TRIGGER execution_entries_inserted;

--changeset wovyr:0024-execution-entries-deleted splitStatements:false
CREATE TRIGGER IF NOT EXISTS execution_entries_deleted AFTER DELETE ON execution
BEGIN
  DELETE FROM execution_by_attribute WHERE tenant_id = OLD.tenant_id AND started_at = OLD.started_at AND id = OLD.id
    AND search_attributes IN (SELECT e.value FROM json_each(OLD.search_attributes) e);
END;
--rollback DROP TRIGGER execution_entries_deleted;

--changeset wovyr:0025-execution-entries-changed splitStatements:false
CREATE TRIGGER IF NOT EXISTS execution_entries_changed AFTER UPDATE ON execution
WHEN OLD.search_attributes IS NOT NEW.search_attributes OR OLD.started_at IS NOT NEW.started_at
BEGIN
  DELETE FROM execution_by_attribute WHERE tenant_id = OLD.tenant_id AND started_at = OLD.started_at AND id = OLD.id
    AND search_attributes IN (SELECT e.value FROM json_each(OLD.search_attributes) e);
  INSERT OR IGNORE INTO execution_by_attribute
    SELECT NEW.tenant_id, e.value, NEW.started_at, NEW.id FROM json_each(NEW.search_attributes) e;
END;
--rollback DROP TRIGGER execution_entries_changed;

--changeset wovyr:0026-definition
CREATE TABLE IF NOT EXISTS definition (
  tenant_id TEXT NOT NULL CHECK (tenant_id <> ''),
  name TEXT NOT NULL,
  definition_version INTEGER NOT NULL,
  record_id BLOB NOT NULL CHECK (length(record_id) = 16),
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  updated_by TEXT NOT NULL,
  schema_version INTEGER NOT NULL,
  entity_version INTEGER NOT NULL,
  serialization_version INTEGER NOT NULL,
  extra BLOB,
  status TEXT NOT NULL,
  checksum TEXT NOT NULL,
  body BLOB,
  policy_version INTEGER NOT NULL,
  policies TEXT NOT NULL,
  archived_at INTEGER,
  PRIMARY KEY (tenant_id, name, definition_version)
) STRICT;
CREATE INDEX IF NOT EXISTS definition_by_status ON definition (tenant_id, status, name, definition_version);
--rollback DROP TABLE definition;

--changeset wovyr:0027-definition-aud
CREATE TABLE IF NOT EXISTS definition_aud (
  tenant_id TEXT NOT NULL CHECK (tenant_id <> ''),
  name TEXT NOT NULL,
  definition_version INTEGER NOT NULL,
  rev INTEGER NOT NULL,
  revtype INTEGER NOT NULL,
  record_id BLOB CHECK (length(record_id) = 16),
  created_at INTEGER,
  updated_at INTEGER,
  updated_by TEXT,
  schema_version INTEGER,
  entity_version INTEGER,
  serialization_version INTEGER,
  status TEXT,
  checksum TEXT,
  policy_version INTEGER,
  policies TEXT,
  archived_at INTEGER,
  PRIMARY KEY (tenant_id, name, definition_version, rev)
) STRICT;
CREATE INDEX IF NOT EXISTS definition_aud_revision ON definition_aud (tenant_id, rev);
--rollback DROP TABLE definition_aud;

--changeset wovyr:0028-definition-aud-never-updated splitStatements:false
CREATE TRIGGER IF NOT EXISTS definition_aud_never_updated BEFORE UPDATE ON definition_aud
BEGIN
  SELECT RAISE(ABORT, 'definition_aud is append-only');
END;
--rollback DROP TRIGGER definition_aud_never_updated;

--changeset wovyr:0029-definition-aud-never-deleted splitStatements:false
CREATE TRIGGER IF NOT EXISTS definition_aud_never_deleted BEFORE DELETE ON definition_aud
BEGIN
  SELECT RAISE(ABORT, 'definition_aud is append-only');
END;
--rollback DROP TRIGGER definition_aud_never_deleted;

--changeset wovyr:0030-activity
CREATE TABLE IF NOT EXISTS activity (
  tenant_id TEXT NOT NULL CHECK (tenant_id <> ''),
  execution_id BLOB NOT NULL CHECK (length(execution_id) = 16),
  activity_id TEXT NOT NULL,
  record_id BLOB NOT NULL CHECK (length(record_id) = 16),
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  updated_by TEXT NOT NULL,
  schema_version INTEGER NOT NULL,
  entity_version INTEGER NOT NULL,
  serialization_version INTEGER NOT NULL,
  extra BLOB,
  activity_type TEXT NOT NULL,
  status TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  scheduled_at INTEGER NOT NULL,
  open_since INTEGER,
  worker TEXT,
  started_at INTEGER,
  heartbeat_at INTEGER,
  closed_at INTEGER,
  schedule_to_start INTEGER,
  start_to_close INTEGER,
  schedule_to_close INTEGER,
  heartbeat_timeout INTEGER,
  input BLOB,
  heartbeat_details BLOB,
  result BLOB,
  failure BLOB,
  PRIMARY KEY (tenant_id, execution_id, activity_id)
) STRICT;
CREATE INDEX IF NOT EXISTS activity_open ON activity (tenant_id, open_since, execution_id, activity_id)
  WHERE open_since IS NOT NULL;
--rollback DROP TABLE activity;

--changeset wovyr:0031-retry
CREATE TABLE IF NOT EXISTS retry (
  tenant_id TEXT NOT NULL CHECK (tenant_id <> ''),
  execution_id BLOB NOT NULL CHECK (length(execution_id) = 16),
  activity_id TEXT NOT NULL,
  record_id BLOB NOT NULL CHECK (length(record_id) = 16),
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  updated_by TEXT NOT NULL,
  schema_version INTEGER NOT NULL,
  entity_version INTEGER NOT NULL,
  serialization_version INTEGER NOT NULL,
  extra BLOB,
  status TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  max_attempts INTEGER NOT NULL,
  initial_delay INTEGER NOT NULL,
  multiplier_percent INTEGER NOT NULL,
  max_delay INTEGER NOT NULL,
  non_retryable TEXT NOT NULL,
  last_delay INTEGER,
  next_attempt_at INTEGER,
  first_failure_at INTEGER NOT NULL,
  last_failure_at INTEGER NOT NULL,
  last_error TEXT NOT NULL,
  reason BLOB,
  PRIMARY KEY (tenant_id, execution_id, activity_id)
) STRICT;
CREATE INDEX IF NOT EXISTS retry_pending ON retry (tenant_id, next_attempt_at, execution_id, activity_id)
  WHERE next_attempt_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS retry_by_status ON retry (tenant_id, status, last_failure_at, execution_id, activity_id);
--rollback DROP TABLE retry;

--changeset wovyr:0032-compensation
CREATE TABLE IF NOT EXISTS compensation (
  tenant_id TEXT NOT NULL CHECK (tenant_id <> ''),
  execution_id BLOB NOT NULL CHECK (length(execution_id) = 16),
  position INTEGER NOT NULL,
  record_id BLOB NOT NULL CHECK (length(record_id) = 16),
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  updated_by TEXT NOT NULL,
  schema_version INTEGER NOT NULL,
  entity_version INTEGER NOT NULL,
  serialization_version INTEGER NOT NULL,
  extra BLOB,
  activity_id TEXT NOT NULL,
  action TEXT NOT NULL,
  status TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  metadata TEXT NOT NULL,
  registered_at INTEGER NOT NULL,
  started_at INTEGER,
  finished_at INTEGER,
  next_attempt_at INTEGER,
  last_error TEXT,
  input BLOB,
  result BLOB,
  failure BLOB,
  PRIMARY KEY (tenant_id, execution_id, position)
) STRICT;
CREATE INDEX IF NOT EXISTS compensation_by_status ON compensation (tenant_id, status, registered_at, execution_id, position);
--rollback DROP TABLE compensation;

--changeset wovyr:0033-compensation-aud
CREATE TABLE IF NOT EXISTS compensation_aud (
  tenant_id TEXT NOT NULL CHECK (tenant_id <> ''),
  execution_id BLOB NOT NULL CHECK (length(execution_id) = 16),
  position INTEGER NOT NULL,
  rev INTEGER NOT NULL,
  revtype INTEGER NOT NULL,
  record_id BLOB CHECK (length(record_id) = 16),
  created_at INTEGER,
  updated_at INTEGER,
  updated_by TEXT,
  schema_version INTEGER,
  entity_version INTEGER,
  serialization_version INTEGER,
  activity_id TEXT,
  action TEXT,
  status TEXT,
  attempts INTEGER,
  metadata TEXT,
  registered_at INTEGER,
  started_at INTEGER,
  finished_at INTEGER,
  next_attempt_at INTEGER,
  last_error TEXT,
  PRIMARY KEY (tenant_id, execution_id, position, rev)
) STRICT;
CREATE INDEX IF NOT EXISTS compensation_aud_revision ON compensation_aud (tenant_id, rev);
--rollback DROP TABLE compensation_aud;

--changeset wovyr:0034-compensation-aud-never-updated splitStatements:false
CREATE TRIGGER IF NOT EXISTS compensation_aud_never_updated BEFORE UPDATE ON compensation_aud
BEGIN
  SELECT RAISE(ABORT, 'compensation_aud is append-only');
END;
--rollback DROP TRIGGER compensation_aud_never_updated;

--changeset wovyr:0035-compensation-aud-never-deleted splitStatements:false
CREATE TRIGGER IF NOT EXISTS compensation_aud_never_deleted BEFORE DELETE ON compensation_aud
BEGIN
  SELECT RAISE(ABORT, 'compensation_aud is append-only');
END;
--rollback DROP TRIGGER compensation_aud_never_deleted;

--changeset wovyr:0036-schedule
CREATE TABLE IF NOT EXISTS schedule (
  tenant_id TEXT NOT NULL CHECK (tenant_id <> ''),
  name TEXT NOT NULL,
  record_id BLOB NOT NULL CHECK (length(record_id) = 16),
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  updated_by TEXT NOT NULL,
  schema_version INTEGER NOT NULL,
  entity_version INTEGER NOT NULL,
  serialization_version INTEGER NOT NULL,
  extra BLOB,
  kind TEXT NOT NULL,
  expression TEXT NOT NULL,
  zone TEXT,
  anchor INTEGER,
  definition_name TEXT NOT NULL,
  definition_version INTEGER NOT NULL,
  definition_digest TEXT NOT NULL,
  misfire TEXT NOT NULL,
  misfire_after INTEGER NOT NULL,
  not_before INTEGER,
  not_after INTEGER,
  paused INTEGER NOT NULL CHECK (paused IN (0, 1)),
  next_fire_at INTEGER,
  last_fire_at INTEGER,
  fires INTEGER NOT NULL,
  input BLOB,
  PRIMARY KEY (tenant_id, name)
) STRICT;
CREATE INDEX IF NOT EXISTS schedule_due ON schedule (next_fire_at, tenant_id, name)
  WHERE next_fire_at IS NOT NULL;
--rollback DROP TABLE schedule;

--changeset wovyr:0037-schedule-aud
CREATE TABLE IF NOT EXISTS schedule_aud (
  tenant_id TEXT NOT NULL CHECK (tenant_id <> ''),
  name TEXT NOT NULL,
  rev INTEGER NOT NULL,
  revtype INTEGER NOT NULL,
  record_id BLOB CHECK (length(record_id) = 16),
  created_at INTEGER,
  updated_at INTEGER,
  updated_by TEXT,
  schema_version INTEGER,
  entity_version INTEGER,
  serialization_version INTEGER,
  kind TEXT,
  expression TEXT,
  zone TEXT,
  anchor INTEGER,
  definition_name TEXT,
  definition_version INTEGER,
  definition_digest TEXT,
  misfire TEXT,
  misfire_after INTEGER,
  not_before INTEGER,
  not_after INTEGER,
  paused INTEGER CHECK (paused IN (0, 1)),
  next_fire_at INTEGER,
  last_fire_at INTEGER,
  fires INTEGER,
  PRIMARY KEY (tenant_id, name, rev)
) STRICT;
CREATE INDEX IF NOT EXISTS schedule_aud_revision ON schedule_aud (tenant_id, rev);
--rollback DROP TABLE schedule_aud;

--changeset wovyr:0038-schedule-aud-never-updated splitStatements:false
CREATE TRIGGER IF NOT EXISTS schedule_aud_never_updated BEFORE UPDATE ON schedule_aud
BEGIN
  SELECT RAISE(ABORT, 'schedule_aud is append-only');
END;
--rollback DROP TRIGGER schedule_aud_never_updated;

--changeset wovyr:0039-schedule-aud-never-deleted splitStatements:false
CREATE TRIGGER IF NOT EXISTS schedule_aud_never_deleted BEFORE DELETE ON schedule_aud
BEGIN
  SELECT RAISE(ABORT, 'schedule_aud is append-only');
END;
--rollback DROP TRIGGER schedule_aud_never_deleted;

--changeset wovyr:0040-audit-record
CREATE TABLE IF NOT EXISTS audit_record (
  feed_key INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL CHECK (tenant_id <> ''),
  id BLOB NOT NULL CHECK (length(id) = 16),
  record_id BLOB NOT NULL CHECK (length(record_id) = 16),
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  updated_by TEXT NOT NULL,
  schema_version INTEGER NOT NULL,
  entity_version INTEGER NOT NULL,
  serialization_version INTEGER NOT NULL,
  extra BLOB,
  occurred_at INTEGER NOT NULL,
  action TEXT NOT NULL,
  outcome TEXT NOT NULL,
  subject_type TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  correlation_id BLOB CHECK (length(correlation_id) = 16),
  details_commitment BLOB
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS audit_record_key ON audit_record (tenant_id, id);
CREATE INDEX IF NOT EXISTS audit_record_by_time ON audit_record (tenant_id, occurred_at, id);
CREATE INDEX IF NOT EXISTS audit_record_by_subject ON audit_record (tenant_id, subject_type, subject_id, occurred_at, id);
CREATE INDEX IF NOT EXISTS audit_record_feed ON audit_record (tenant_id, feed_key);
--rollback DROP TABLE audit_record;

--changeset wovyr:0041-audit-record-never-updated splitStatements:false
CREATE TRIGGER IF NOT EXISTS audit_record_never_updated BEFORE UPDATE ON audit_record
BEGIN
  SELECT RAISE(ABORT, 'audit_record is append-only');
END;
--rollback DROP TRIGGER audit_record_never_updated;

--changeset wovyr:0042-audit-record-deleted-by-purge-only splitStatements:false
CREATE TRIGGER IF NOT EXISTS audit_record_deleted_by_purge_only BEFORE DELETE ON audit_record
WHEN NOT EXISTS (SELECT 1 FROM purge_permit)
BEGIN
  SELECT RAISE(ABORT, 'audit_record is append-only');
END;
--rollback DROP TRIGGER audit_record_deleted_by_purge_only;

--changeset wovyr:0043-audit-details
CREATE TABLE IF NOT EXISTS audit_details (
  tenant_id TEXT NOT NULL CHECK (tenant_id <> ''),
  id BLOB NOT NULL CHECK (length(id) = 16),
  record_id BLOB NOT NULL CHECK (length(record_id) = 16),
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  updated_by TEXT NOT NULL,
  schema_version INTEGER NOT NULL,
  entity_version INTEGER NOT NULL,
  serialization_version INTEGER NOT NULL,
  extra BLOB,
  details BLOB,
  PRIMARY KEY (tenant_id, id)
) STRICT;
--rollback DROP TABLE audit_details;

--changeset wovyr:0044-audit-details-never-updated splitStatements:false
CREATE TRIGGER IF NOT EXISTS audit_details_never_updated BEFORE UPDATE ON audit_details
BEGIN
  SELECT RAISE(ABORT, 'audit_details is append-only');
END;
--rollback DROP TRIGGER audit_details_never_updated;

--changeset wovyr:0045-audit-details-deleted-by-purge-only splitStatements:false
CREATE TRIGGER IF NOT EXISTS audit_details_deleted_by_purge_only BEFORE DELETE ON audit_details
WHEN NOT EXISTS (SELECT 1 FROM purge_permit)
BEGIN
  SELECT RAISE(ABORT, 'audit_details is append-only');
END;
--rollback DROP TRIGGER audit_details_deleted_by_purge_only;

--changeset wovyr:0046-metrics-snapshot
CREATE TABLE IF NOT EXISTS metrics_snapshot (
  tenant_id TEXT NOT NULL CHECK (tenant_id <> ''),
  id BLOB NOT NULL CHECK (length(id) = 16),
  record_id BLOB NOT NULL CHECK (length(record_id) = 16),
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  updated_by TEXT NOT NULL,
  schema_version INTEGER NOT NULL,
  entity_version INTEGER NOT NULL,
  serialization_version INTEGER NOT NULL,
  extra BLOB,
  taken_at INTEGER NOT NULL,
  source TEXT NOT NULL,
  readings TEXT NOT NULL,
  PRIMARY KEY (tenant_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS metrics_snapshot_by_source ON metrics_snapshot (tenant_id, source, taken_at, id);
--rollback DROP TABLE metrics_snapshot;

--changeset wovyr:0047-checkpoint
CREATE TABLE IF NOT EXISTS checkpoint (
  tenant_id TEXT NOT NULL CHECK (tenant_id <> ''),
  execution_id BLOB NOT NULL CHECK (length(execution_id) = 16),
  event_cursor INTEGER NOT NULL,
  generation INTEGER NOT NULL,
  kind TEXT NOT NULL,
  record_id BLOB NOT NULL CHECK (length(record_id) = 16),
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  updated_by TEXT NOT NULL,
  schema_version INTEGER NOT NULL,
  entity_version INTEGER NOT NULL,
  serialization_version INTEGER NOT NULL,
  extra BLOB,
  checkpoint_id BLOB NOT NULL CHECK (length(checkpoint_id) = 16),
  workflow_id TEXT NOT NULL,
  workflow_version INTEGER NOT NULL,
  checkpoint_version INTEGER NOT NULL,
  origin TEXT NOT NULL,
  triggered_by TEXT NOT NULL,
  base_id BLOB CHECK (length(base_id) = 16),
  chain_length INTEGER NOT NULL,
  worker_id TEXT NOT NULL,
  fencing_token INTEGER NOT NULL,
  state_version INTEGER NOT NULL,
  state_hash BLOB NOT NULL,
  current_state TEXT NOT NULL,
  active_nodes TEXT NOT NULL,
  completed_nodes INTEGER NOT NULL,
  variables INTEGER NOT NULL,
  activity_results INTEGER NOT NULL,
  pending_events INTEGER NOT NULL,
  lease_owner TEXT,
  metadata TEXT NOT NULL,
  milestone INTEGER NOT NULL CHECK (milestone IN (0, 1)),
  expires_at INTEGER,
  codec TEXT NOT NULL,
  compression TEXT NOT NULL,
  encryption_version INTEGER NOT NULL,
  key_id TEXT,
  store_name TEXT NOT NULL,
  location TEXT NOT NULL,
  stored_bytes INTEGER NOT NULL,
  state_bytes INTEGER NOT NULL,
  digest BLOB NOT NULL,
  signature BLOB,
  PRIMARY KEY (tenant_id, execution_id, event_cursor, generation, kind)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS checkpoint_checkpoint_id ON checkpoint (tenant_id, checkpoint_id);
--rollback DROP TABLE checkpoint;

--changeset wovyr:0048-checkpoint-never-updated splitStatements:false
CREATE TRIGGER IF NOT EXISTS checkpoint_never_updated BEFORE UPDATE ON checkpoint
BEGIN
  SELECT RAISE(ABORT, 'checkpoint is append-only');
END;
--rollback DROP TRIGGER checkpoint_never_updated;

--changeset wovyr:0049-checkpoint-deleted-by-purge-only splitStatements:false
CREATE TRIGGER IF NOT EXISTS checkpoint_deleted_by_purge_only BEFORE DELETE ON checkpoint
WHEN NOT EXISTS (SELECT 1 FROM purge_permit)
BEGIN
  SELECT RAISE(ABORT, 'checkpoint is append-only');
END;
--rollback DROP TRIGGER checkpoint_deleted_by_purge_only;

--changeset wovyr:0050-checkpoint-mark
CREATE TABLE IF NOT EXISTS checkpoint_mark (
  tenant_id TEXT NOT NULL CHECK (tenant_id <> ''),
  execution_id BLOB NOT NULL CHECK (length(execution_id) = 16),
  checkpoint_id BLOB NOT NULL CHECK (length(checkpoint_id) = 16),
  record_id BLOB NOT NULL CHECK (length(record_id) = 16),
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  updated_by TEXT NOT NULL,
  schema_version INTEGER NOT NULL,
  entity_version INTEGER NOT NULL,
  serialization_version INTEGER NOT NULL,
  extra BLOB,
  validity TEXT NOT NULL,
  reason TEXT,
  pinned_by TEXT,
  pin_reason TEXT,
  PRIMARY KEY (tenant_id, execution_id, checkpoint_id)
) STRICT, WITHOUT ROWID;
--rollback DROP TABLE checkpoint_mark;

--changeset wovyr:0051-secret
CREATE TABLE IF NOT EXISTS secret (
  tenant_id TEXT NOT NULL CHECK (tenant_id <> ''),
  name TEXT NOT NULL,
  secret_version INTEGER NOT NULL,
  record_id BLOB NOT NULL CHECK (length(record_id) = 16),
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  updated_by TEXT NOT NULL,
  schema_version INTEGER NOT NULL,
  entity_version INTEGER NOT NULL,
  serialization_version INTEGER NOT NULL,
  extra BLOB,
  value BLOB,
  revoked_at INTEGER,
  PRIMARY KEY (tenant_id, name, secret_version)
) STRICT;
--rollback DROP TABLE secret;

--changeset wovyr:0052-schema-version-3
UPDATE wovyr_store SET schema_version = 3;
--rollback UPDATE wovyr_store SET schema_version = 2;

--changeset wovyr:0053-data-key
CREATE TABLE IF NOT EXISTS data_key (
  tenant_id TEXT NOT NULL CHECK (tenant_id <> ''),
  scope TEXT NOT NULL,
  number INTEGER NOT NULL,
  record_id BLOB NOT NULL CHECK (length(record_id) = 16),
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  updated_by TEXT NOT NULL,
  schema_version INTEGER NOT NULL,
  entity_version INTEGER NOT NULL,
  serialization_version INTEGER NOT NULL,
  extra BLOB,
  key_id BLOB NOT NULL CHECK (length(key_id) = 16),
  wrapping_key_id TEXT NOT NULL,
  wrapped BLOB NOT NULL,
  PRIMARY KEY (tenant_id, scope, number)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS data_key_key_id ON data_key (tenant_id, key_id);
CREATE INDEX IF NOT EXISTS data_key_by_wrapping_key ON data_key (wrapping_key_id, tenant_id, scope, number);
--rollback DROP TABLE data_key;

--changeset wovyr:0054-schema-version-4
UPDATE wovyr_store SET schema_version = 4;
--rollback UPDATE wovyr_store SET schema_version = 3;

--changeset wovyr:0055-revision-sealed
--preconditions onFail:MARK_RAN
--precondition-sql-check expectedResult:0 SELECT count(*) FROM pragma_table_info('revision') WHERE name = 'sealed_actor'
-- Who changed something and from where, sealed under a key of the tenant; then actor is empty and client null. The
-- index columns are reserved for blind indexes, by which a sealed value can be searched; nothing fills them yet.
ALTER TABLE revision ADD COLUMN client TEXT;
ALTER TABLE revision ADD COLUMN sealed_actor BLOB;
ALTER TABLE revision ADD COLUMN sealed_client BLOB;
ALTER TABLE revision ADD COLUMN sealed_actor_index BLOB;
ALTER TABLE revision ADD COLUMN sealed_client_index BLOB;
--rollback ALTER TABLE revision DROP COLUMN sealed_client_index;
--rollback ALTER TABLE revision DROP COLUMN sealed_actor_index;
--rollback ALTER TABLE revision DROP COLUMN sealed_client;
--rollback ALTER TABLE revision DROP COLUMN sealed_actor;
--rollback ALTER TABLE revision DROP COLUMN client;

--changeset wovyr:0056-schema-version-5
UPDATE wovyr_store SET schema_version = 5;
--rollback UPDATE wovyr_store SET schema_version = 4;

--changeset wovyr:0057-checkpoint-definition-digest
--preconditions onFail:MARK_RAN
--precondition-sql-check expectedResult:0 SELECT count(*) FROM pragma_table_info('checkpoint') WHERE name = 'definition_digest'
-- Of the definition a checkpoint's state belongs to; manifests from before have none.
ALTER TABLE checkpoint ADD COLUMN definition_digest TEXT;
--rollback ALTER TABLE checkpoint DROP COLUMN definition_digest;

--changeset wovyr:0058-schema-version-6
UPDATE wovyr_store SET schema_version = 6;
--rollback UPDATE wovyr_store SET schema_version = 5;

--changeset wovyr:0059-checkpoint-mark-sealed-reason
--preconditions onFail:MARK_RAN
--precondition-sql-check expectedResult:0 SELECT count(*) FROM pragma_table_info('checkpoint_mark') WHERE name = 'sealed_reason'
-- Why a checkpoint is invalid, sealed; then reason is null. Marks from before keep theirs in clear until they change.
ALTER TABLE checkpoint_mark ADD COLUMN sealed_reason BLOB;
--rollback ALTER TABLE checkpoint_mark DROP COLUMN sealed_reason;

--changeset wovyr:0060-checkpoint-mark-sealed-pin-reason
--preconditions onFail:MARK_RAN
--precondition-sql-check expectedResult:0 SELECT count(*) FROM pragma_table_info('checkpoint_mark') WHERE name = 'sealed_pin_reason'
-- Why it is wanted, sealed, as the other reason.
ALTER TABLE checkpoint_mark ADD COLUMN sealed_pin_reason BLOB;
--rollback ALTER TABLE checkpoint_mark DROP COLUMN sealed_pin_reason;

--changeset wovyr:0061-schema-version-7
UPDATE wovyr_store SET schema_version = 7;
--rollback UPDATE wovyr_store SET schema_version = 6;

--changeset wovyr:0062-large-value
CREATE TABLE IF NOT EXISTS large_value (
  tenant_id TEXT NOT NULL CHECK (tenant_id <> ''),
  value_id BLOB NOT NULL CHECK (length(value_id) = 16),
  record_id BLOB NOT NULL CHECK (length(record_id) = 16),
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  updated_by TEXT NOT NULL,
  schema_version INTEGER NOT NULL,
  entity_version INTEGER NOT NULL,
  serialization_version INTEGER NOT NULL,
  extra BLOB,
  status TEXT NOT NULL,
  owner_type TEXT NOT NULL,
  execution_id BLOB CHECK (length(execution_id) = 16),
  sequence INTEGER,
  chunks INTEGER NOT NULL,
  stored_bytes INTEGER NOT NULL,
  expires_at INTEGER,
  PRIMARY KEY (tenant_id, value_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS large_value_by_event ON large_value (tenant_id, execution_id, sequence, value_id) WHERE execution_id IS NOT NULL AND sequence IS NOT NULL;
CREATE INDEX IF NOT EXISTS large_value_expiry ON large_value (expires_at, tenant_id, value_id) WHERE expires_at IS NOT NULL;
--rollback DROP TABLE large_value;

--changeset wovyr:0063-chunk
CREATE TABLE IF NOT EXISTS chunk (
  tenant_id TEXT NOT NULL CHECK (tenant_id <> ''),
  value_id BLOB NOT NULL CHECK (length(value_id) = 16),
  number INTEGER NOT NULL,
  record_id BLOB NOT NULL CHECK (length(record_id) = 16),
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  updated_by TEXT NOT NULL,
  schema_version INTEGER NOT NULL,
  entity_version INTEGER NOT NULL,
  serialization_version INTEGER NOT NULL,
  extra BLOB,
  content BLOB NOT NULL,
  PRIMARY KEY (tenant_id, value_id, number)
) STRICT;
--rollback DROP TABLE chunk;

--changeset wovyr:0064-schema-version-8
UPDATE wovyr_store SET schema_version = 8;
--rollback UPDATE wovyr_store SET schema_version = 7;
