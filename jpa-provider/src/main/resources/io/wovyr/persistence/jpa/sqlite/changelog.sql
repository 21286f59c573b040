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
