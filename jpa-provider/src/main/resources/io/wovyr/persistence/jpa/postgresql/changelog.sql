--liquibase formatted sql

-- The schema of the PostgreSQL store. A released step is never edited: a change is a new step at the end, and the
-- last step of a release raises wovyr_store.schema_version. Every step is one transaction and has its rollback, and a
-- test runs it. The tenant is first in every key; texts compare by their bytes (COLLATE "C"); instants are
-- microseconds since 1970, UTC (bigint); payloads are their envelopes (bytea); a list of texts is a JSON array. Every
-- table of records forces row-level security, which binds the owner too: without a tenant there are no rows. What the
-- roles may do is in rights.sql, which every "migrate up" runs after these steps. A comment on a new step stands below
-- its first line: what stands above belongs to the step before, which it changes.

--changeset wovyr:0001-store
CREATE TABLE wovyr_store (
  id smallint PRIMARY KEY CHECK (id = 1),
  store_id uuid NOT NULL,
  epoch bigint NOT NULL CHECK (epoch BETWEEN 1 AND 32767),
  schema_version integer NOT NULL,
  format_version integer NOT NULL,
  system_identifier bigint NOT NULL,
  database_oid bigint NOT NULL,
  timeline bigint NOT NULL,
  purges bigint NOT NULL DEFAULT 0
);
INSERT INTO wovyr_store
  SELECT 1, gen_random_uuid(), 1, 0, 1, s.system_identifier, d.oid,
    ('x' || lpad(left(pg_walfile_name(pg_current_wal_insert_lsn()), 8), 16, '0'))::bit(64)::bigint
  FROM pg_control_system() s, pg_database d WHERE d.datname = current_database();
--rollback DROP TABLE wovyr_store;

-- Raises the epoch where this database is not the one the store was last written in: another cluster or database (a
-- copy), or another timeline (a promotion, a restore to a point in time). Waits for all writers, so that no key of
-- the epoch before is given out behind it.
--changeset wovyr:0002-epoch splitStatements:false
CREATE FUNCTION wovyr_epoch() RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  here_system bigint := (SELECT system_identifier FROM pg_control_system());
  here_database bigint := (SELECT oid FROM pg_database WHERE datname = current_database());
  here_timeline bigint :=
    ('x' || lpad(left(pg_walfile_name(pg_current_wal_insert_lsn()), 8), 16, '0'))::bit(64)::bigint;
  found wovyr_store;
BEGIN
  SELECT * INTO found FROM wovyr_store WHERE id = 1;
  IF found.system_identifier = here_system AND found.database_oid = here_database
      AND found.timeline = here_timeline THEN
    RETURN found.epoch;
  END IF;
  LOCK TABLE workflow_event IN SHARE ROW EXCLUSIVE MODE;
  UPDATE wovyr_store SET epoch = epoch + 1, system_identifier = here_system, database_oid = here_database,
      timeline = here_timeline
    WHERE id = 1 AND (system_identifier, database_oid, timeline) IS DISTINCT FROM
      (here_system, here_database, here_timeline);
  SELECT * INTO found FROM wovyr_store WHERE id = 1;
  RETURN found.epoch;
END $$;
REVOKE ALL ON FUNCTION wovyr_epoch() FROM PUBLIC;
--rollback DROP FUNCTION wovyr_epoch();

--changeset wovyr:0003-execution
CREATE TABLE execution (
  tenant_id text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  id uuid NOT NULL,
  record_id uuid NOT NULL,
  version bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  updated_by text COLLATE "C" NOT NULL,
  schema_version integer NOT NULL,
  entity_version integer NOT NULL,
  serialization_version integer NOT NULL,
  extra bytea,
  workflow_id text COLLATE "C" NOT NULL,
  live_workflow_id text COLLATE "C",
  status text COLLATE "C" NOT NULL,
  paused_from text COLLATE "C",
  definition_name text COLLATE "C" NOT NULL,
  definition_version integer NOT NULL,
  definition_digest text COLLATE "C" NOT NULL,
  parent_id uuid,
  search_attributes text COLLATE "C" NOT NULL,
  input bytea,
  outcome bytea,
  closed_at bigint,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX execution_live_workflow ON execution (tenant_id, live_workflow_id)
  WHERE live_workflow_id IS NOT NULL;
CREATE INDEX execution_by_status ON execution (tenant_id, status, id);
--rollback DROP TABLE execution;

-- Every step updates its head: room in each page keeps such updates off the indexes. last_feed_key is the store's own:
-- the feed key of the execution's last event, below which no later one may come.
--changeset wovyr:0004-execution-head
CREATE TABLE execution_head (
  tenant_id text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  execution_id uuid NOT NULL,
  record_id uuid NOT NULL,
  version bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  updated_by text COLLATE "C" NOT NULL,
  schema_version integer NOT NULL,
  entity_version integer NOT NULL,
  serialization_version integer NOT NULL,
  extra bytea,
  last_sequence bigint NOT NULL,
  low_water_mark bigint NOT NULL,
  closed boolean NOT NULL,
  fencing_token bigint NOT NULL,
  owner text COLLATE "C",
  lease_id uuid,
  lease_expires_at bigint,
  lease_ttl bigint,
  renewals bigint NOT NULL,
  acquisitions_without_progress integer NOT NULL,
  paused boolean NOT NULL,
  parked boolean NOT NULL,
  due_at bigint,
  last_checkpoint_id uuid,
  last_feed_key bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, execution_id)
) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX execution_head_held ON execution_head (tenant_id, owner, execution_id) WHERE owner IS NOT NULL;
CREATE INDEX execution_head_due ON execution_head (due_at, tenant_id, execution_id) WHERE due_at IS NOT NULL;
--rollback DROP TABLE execution_head;

-- feed_key is the store's own: where the row stands in the feed. The feed of all tenants has an index of its own, whose
-- condition is always true and stands only in the statements that are meant to use it: the planner would otherwise take
-- it for the feed of one tenant, too, and pass over the rows of all others.
--changeset wovyr:0005-workflow-event
CREATE TABLE workflow_event (
  feed_key bigint NOT NULL,
  tenant_id text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  execution_id uuid NOT NULL,
  sequence bigint NOT NULL CHECK (sequence >= 1),
  record_id uuid NOT NULL,
  version bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  updated_by text COLLATE "C" NOT NULL,
  schema_version integer NOT NULL,
  entity_version integer NOT NULL,
  serialization_version integer NOT NULL,
  extra bytea,
  type text COLLATE "C" NOT NULL,
  correlation_id uuid,
  causation_id uuid,
  dedupe_key text COLLATE "C",
  fencing_token bigint NOT NULL,
  commit_id uuid NOT NULL,
  payload bytea,
  changes bytea NOT NULL,
  PRIMARY KEY (tenant_id, execution_id, sequence)
);
CREATE UNIQUE INDEX workflow_event_dedupe ON workflow_event (tenant_id, execution_id, dedupe_key)
  WHERE dedupe_key IS NOT NULL;
CREATE INDEX workflow_event_by_correlation ON workflow_event (tenant_id, correlation_id, execution_id, sequence)
  WHERE correlation_id IS NOT NULL;
CREATE INDEX workflow_event_by_causation ON workflow_event (tenant_id, causation_id, execution_id, sequence)
  WHERE causation_id IS NOT NULL;
CREATE INDEX workflow_event_feed ON workflow_event (tenant_id, feed_key, execution_id, sequence);
CREATE INDEX workflow_event_feed_all ON workflow_event (feed_key, execution_id, sequence) WHERE feed_key > 0;
--rollback DROP TABLE workflow_event;

-- Beside the rights, which only the purge role has: a guard against accident for those who have all of them. Deleting
-- takes a permit that ends with its transaction; changing and emptying the table is never right.
--changeset wovyr:0006-event-append-only splitStatements:false
CREATE FUNCTION wovyr_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('wovyr.purge', true) = 'permitted' THEN
    RETURN NULL;
  END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER workflow_event_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON workflow_event
  FOR EACH STATEMENT EXECUTE FUNCTION wovyr_append_only();
--rollback DROP TRIGGER workflow_event_append_only ON workflow_event;
--rollback DROP FUNCTION wovyr_append_only();

-- A mark says that the feed was purged up to a place: who began to read before it was made and has not come so far
-- misses rows. Marks carry the number of their purge (wovyr_store.purges, raised under its lock, so that the numbers
-- have the order of the transactions); those of the whole feed have the empty tenant.
--changeset wovyr:0007-feed-mark
CREATE TABLE feed_mark (
  tenant_id text COLLATE "C" NOT NULL,
  number bigint NOT NULL CHECK (number >= 1),
  purged_to bigint NOT NULL,
  purged_row bytea NOT NULL,
  PRIMARY KEY (tenant_id, number)
);
CREATE INDEX feed_mark_purged_to ON feed_mark (tenant_id, purged_to, purged_row);
--rollback DROP TABLE feed_mark;

--changeset wovyr:0008-named-lease
CREATE TABLE named_lease (
  tenant_id text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  name text COLLATE "C" NOT NULL,
  record_id uuid NOT NULL,
  version bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  updated_by text COLLATE "C" NOT NULL,
  schema_version integer NOT NULL,
  entity_version integer NOT NULL,
  serialization_version integer NOT NULL,
  extra bytea,
  fencing_token bigint NOT NULL,
  owner text COLLATE "C",
  lease_id uuid,
  lease_expires_at bigint,
  lease_ttl bigint,
  renewals bigint NOT NULL,
  PRIMARY KEY (tenant_id, name)
) WITH (fillfactor = 60);
--rollback DROP TABLE named_lease;

--changeset wovyr:0009-commit-marker
CREATE TABLE commit_marker (
  tenant_id text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  commit_id uuid NOT NULL,
  record_id uuid NOT NULL,
  version bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  updated_by text COLLATE "C" NOT NULL,
  schema_version integer NOT NULL,
  entity_version integer NOT NULL,
  serialization_version integer NOT NULL,
  extra bytea,
  voided boolean NOT NULL,
  expires_at bigint NOT NULL,
  PRIMARY KEY (tenant_id, commit_id)
);
CREATE INDEX commit_marker_expiry ON commit_marker (expires_at, tenant_id, commit_id);
--rollback DROP TABLE commit_marker;

--changeset wovyr:0010-feed-cursor
CREATE TABLE feed_cursor (
  tenant_id text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  name text COLLATE "C" NOT NULL,
  record_id uuid NOT NULL,
  version bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  updated_by text COLLATE "C" NOT NULL,
  schema_version integer NOT NULL,
  entity_version integer NOT NULL,
  serialization_version integer NOT NULL,
  extra bytea,
  epoch bigint NOT NULL,
  position text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant_id, name)
) WITH (fillfactor = 60);
--rollback DROP TABLE feed_cursor;

-- History of the lifecycle, written by Hibernate Envers in the same transaction: a revision for each commit, and the
-- row as it was then, without payloads.
--changeset wovyr:0011-revision
CREATE SEQUENCE revision_seq AS bigint INCREMENT BY 50;
CREATE TABLE revision (
  tenant_id text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  rev bigint NOT NULL,
  at_millis bigint NOT NULL,
  actor text COLLATE "C" NOT NULL,
  commit_id uuid NOT NULL,
  correlation_id uuid,
  PRIMARY KEY (tenant_id, rev)
);
CREATE TABLE execution_aud (
  tenant_id text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  id uuid NOT NULL,
  rev bigint NOT NULL,
  revtype smallint NOT NULL,
  record_id uuid,
  created_at bigint,
  updated_at bigint,
  updated_by text COLLATE "C",
  schema_version integer,
  entity_version integer,
  serialization_version integer,
  workflow_id text COLLATE "C",
  live_workflow_id text COLLATE "C",
  status text COLLATE "C",
  paused_from text COLLATE "C",
  definition_name text COLLATE "C",
  definition_version integer,
  definition_digest text COLLATE "C",
  parent_id uuid,
  search_attributes text COLLATE "C",
  closed_at bigint,
  PRIMARY KEY (tenant_id, id, rev)
);
CREATE INDEX execution_aud_revision ON execution_aud (tenant_id, rev);
CREATE TRIGGER revision_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON revision
  FOR EACH STATEMENT EXECUTE FUNCTION wovyr_append_only();
CREATE TRIGGER execution_aud_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON execution_aud
  FOR EACH STATEMENT EXECUTE FUNCTION wovyr_append_only();
--rollback DROP TABLE execution_aud;
--rollback DROP TABLE revision;
--rollback DROP SEQUENCE revision_seq;

-- The walls. Whoever has rights on a table sees and writes the rows of the tenant set for this transaction, and none
-- when there is none; forced, so that the owner is bound too.
--changeset wovyr:0012-row-level-security splitStatements:false rollbackSplitStatements:false
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['execution', 'execution_head', 'workflow_event', 'named_lease', 'commit_marker',
      'feed_cursor', 'revision', 'execution_aud'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY wovyr_tenant ON %I USING (tenant_id = current_setting(''wovyr.tenant'', true))'
      || ' WITH CHECK (tenant_id = current_setting(''wovyr.tenant'', true))', name);
  END LOOP;
  ALTER TABLE feed_mark ENABLE ROW LEVEL SECURITY;
  ALTER TABLE feed_mark FORCE ROW LEVEL SECURITY;
  CREATE POLICY wovyr_tenant ON feed_mark
    USING (tenant_id <> '' AND tenant_id = current_setting('wovyr.tenant', true))
    WITH CHECK (tenant_id <> '' AND tenant_id = current_setting('wovyr.tenant', true));
  ALTER TABLE wovyr_store ENABLE ROW LEVEL SECURITY;
  ALTER TABLE wovyr_store FORCE ROW LEVEL SECURITY;
  CREATE POLICY wovyr_all ON wovyr_store USING (true) WITH CHECK (true);
END $$;
--rollback DO $$ DECLARE name text; BEGIN FOREACH name IN ARRAY ARRAY['execution', 'execution_head', 'workflow_event', 'named_lease', 'commit_marker', 'feed_cursor', 'revision', 'execution_aud', 'feed_mark'] LOOP EXECUTE format('DROP POLICY wovyr_tenant ON %I', name); EXECUTE format('ALTER TABLE %I NO FORCE ROW LEVEL SECURITY', name); EXECUTE format('ALTER TABLE %I DISABLE ROW LEVEL SECURITY', name); END LOOP; DROP POLICY wovyr_all ON wovyr_store; ALTER TABLE wovyr_store NO FORCE ROW LEVEL SECURITY; ALTER TABLE wovyr_store DISABLE ROW LEVEL SECURITY; END $$;

--changeset wovyr:0013-schema-version-1
UPDATE wovyr_store SET schema_version = 1;
--rollback UPDATE wovyr_store SET schema_version = 0;

--changeset wovyr:0014-execution-started-at
-- When an execution was created, for its indexes. The wall is opened for the owner alone, inside this step.
ALTER TABLE execution ADD COLUMN started_at bigint;
ALTER TABLE execution NO FORCE ROW LEVEL SECURITY;
UPDATE execution SET started_at = created_at;
ALTER TABLE execution FORCE ROW LEVEL SECURITY;
ALTER TABLE execution ALTER COLUMN started_at SET NOT NULL;
ALTER TABLE execution_aud ADD COLUMN started_at bigint;
DROP INDEX execution_by_status;
CREATE INDEX execution_by_status ON execution (tenant_id, status, started_at, id);
CREATE INDEX execution_by_time ON execution (tenant_id, started_at, id);
CREATE INDEX execution_by_definition ON execution (tenant_id, definition_name, started_at, id);
CREATE INDEX execution_by_workflow ON execution (tenant_id, workflow_id, started_at, id);
CREATE INDEX execution_by_parent ON execution (tenant_id, parent_id, started_at, id)
  WHERE parent_id IS NOT NULL;
--rollback DROP INDEX execution_by_status;
--rollback DROP INDEX execution_by_time;
--rollback DROP INDEX execution_by_definition;
--rollback DROP INDEX execution_by_workflow;
--rollback DROP INDEX execution_by_parent;
--rollback ALTER TABLE execution DROP COLUMN started_at;
--rollback ALTER TABLE execution_aud DROP COLUMN started_at;
--rollback CREATE INDEX execution_by_status ON execution (tenant_id, status, id);

-- One entry for each element of the list, kept by a trigger in whatever way a row is written.

--changeset wovyr:0015-execution-by-attribute
CREATE TABLE execution_by_attribute (
  tenant_id text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  search_attributes text COLLATE "C" NOT NULL,
  started_at bigint NOT NULL,
  id uuid NOT NULL,
  PRIMARY KEY (tenant_id, search_attributes, started_at, id)
);
ALTER TABLE execution NO FORCE ROW LEVEL SECURITY;
INSERT INTO execution_by_attribute
  SELECT DISTINCT x.tenant_id, e.element, x.started_at, x.id
  FROM execution x, json_array_elements_text(x.search_attributes::json) AS e(element);
ALTER TABLE execution FORCE ROW LEVEL SECURITY;
--rollback DROP TABLE execution_by_attribute;

--changeset wovyr:0016-execution-attribute-entries splitStatements:false
CREATE FUNCTION wovyr_execution_by_attribute() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    DELETE FROM execution_by_attribute WHERE tenant_id = OLD.tenant_id AND started_at = OLD.started_at AND id = OLD.id
      AND search_attributes IN (SELECT json_array_elements_text(OLD.search_attributes::json) COLLATE "C");
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO execution_by_attribute
      SELECT DISTINCT NEW.tenant_id, e.element, NEW.started_at, NEW.id
      FROM json_array_elements_text(NEW.search_attributes::json) AS e(element);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER execution_entries AFTER INSERT OR DELETE ON execution
  FOR EACH ROW EXECUTE FUNCTION wovyr_execution_by_attribute();
CREATE TRIGGER execution_entries_changed AFTER UPDATE ON execution
  FOR EACH ROW WHEN ((OLD.search_attributes, OLD.started_at) IS DISTINCT FROM (NEW.search_attributes, NEW.started_at))
  EXECUTE FUNCTION wovyr_execution_by_attribute();
--rollback DROP TRIGGER execution_entries ON execution;
--rollback DROP TRIGGER execution_entries_changed ON execution;
--rollback DROP FUNCTION wovyr_execution_by_attribute();

--changeset wovyr:0017-definition
CREATE TABLE definition (
  tenant_id text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  name text COLLATE "C" NOT NULL,
  definition_version integer NOT NULL,
  record_id uuid NOT NULL,
  version bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  updated_by text COLLATE "C" NOT NULL,
  schema_version integer NOT NULL,
  entity_version integer NOT NULL,
  serialization_version integer NOT NULL,
  extra bytea,
  status text COLLATE "C" NOT NULL,
  checksum text COLLATE "C" NOT NULL,
  body bytea,
  policy_version integer NOT NULL,
  policies text COLLATE "C" NOT NULL,
  archived_at bigint,
  PRIMARY KEY (tenant_id, name, definition_version)
);
CREATE INDEX definition_by_status ON definition (tenant_id, status, name, definition_version);
--rollback DROP TABLE definition;

--changeset wovyr:0018-definition-aud
CREATE TABLE definition_aud (
  tenant_id text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  name text COLLATE "C" NOT NULL,
  definition_version integer NOT NULL,
  rev bigint NOT NULL,
  revtype smallint NOT NULL,
  record_id uuid,
  created_at bigint,
  updated_at bigint,
  updated_by text COLLATE "C",
  schema_version integer,
  entity_version integer,
  serialization_version integer,
  status text COLLATE "C",
  checksum text COLLATE "C",
  policy_version integer,
  policies text COLLATE "C",
  archived_at bigint,
  PRIMARY KEY (tenant_id, name, definition_version, rev)
);
CREATE INDEX definition_aud_revision ON definition_aud (tenant_id, rev);
CREATE TRIGGER definition_aud_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON definition_aud
  FOR EACH STATEMENT EXECUTE FUNCTION wovyr_append_only();
--rollback DROP TABLE definition_aud;

--changeset wovyr:0019-activity
CREATE TABLE activity (
  tenant_id text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  execution_id uuid NOT NULL,
  activity_id text COLLATE "C" NOT NULL,
  record_id uuid NOT NULL,
  version bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  updated_by text COLLATE "C" NOT NULL,
  schema_version integer NOT NULL,
  entity_version integer NOT NULL,
  serialization_version integer NOT NULL,
  extra bytea,
  activity_type text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  attempt integer NOT NULL,
  scheduled_at bigint NOT NULL,
  open_since bigint,
  worker text COLLATE "C",
  started_at bigint,
  heartbeat_at bigint,
  closed_at bigint,
  schedule_to_start bigint,
  start_to_close bigint,
  schedule_to_close bigint,
  heartbeat_timeout bigint,
  input bytea,
  heartbeat_details bytea,
  result bytea,
  failure bytea,
  PRIMARY KEY (tenant_id, execution_id, activity_id)
) WITH (fillfactor = 80);
CREATE INDEX activity_open ON activity (tenant_id, open_since, execution_id, activity_id)
  WHERE open_since IS NOT NULL;
--rollback DROP TABLE activity;

--changeset wovyr:0020-retry
CREATE TABLE retry (
  tenant_id text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  execution_id uuid NOT NULL,
  activity_id text COLLATE "C" NOT NULL,
  record_id uuid NOT NULL,
  version bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  updated_by text COLLATE "C" NOT NULL,
  schema_version integer NOT NULL,
  entity_version integer NOT NULL,
  serialization_version integer NOT NULL,
  extra bytea,
  status text COLLATE "C" NOT NULL,
  attempts integer NOT NULL,
  max_attempts integer NOT NULL,
  initial_delay bigint NOT NULL,
  multiplier_percent integer NOT NULL,
  max_delay bigint NOT NULL,
  non_retryable text COLLATE "C" NOT NULL,
  last_delay bigint,
  next_attempt_at bigint,
  first_failure_at bigint NOT NULL,
  last_failure_at bigint NOT NULL,
  last_error text COLLATE "C" NOT NULL,
  reason bytea,
  PRIMARY KEY (tenant_id, execution_id, activity_id)
) WITH (fillfactor = 80);
CREATE INDEX retry_pending ON retry (tenant_id, next_attempt_at, execution_id, activity_id)
  WHERE next_attempt_at IS NOT NULL;
CREATE INDEX retry_by_status ON retry (tenant_id, status, last_failure_at, execution_id, activity_id);
--rollback DROP TABLE retry;

--changeset wovyr:0021-compensation
CREATE TABLE compensation (
  tenant_id text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  execution_id uuid NOT NULL,
  position integer NOT NULL,
  record_id uuid NOT NULL,
  version bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  updated_by text COLLATE "C" NOT NULL,
  schema_version integer NOT NULL,
  entity_version integer NOT NULL,
  serialization_version integer NOT NULL,
  extra bytea,
  activity_id text COLLATE "C" NOT NULL,
  action text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  attempts integer NOT NULL,
  metadata text COLLATE "C" NOT NULL,
  registered_at bigint NOT NULL,
  started_at bigint,
  finished_at bigint,
  next_attempt_at bigint,
  last_error text COLLATE "C",
  input bytea,
  result bytea,
  failure bytea,
  PRIMARY KEY (tenant_id, execution_id, position)
) WITH (fillfactor = 80);
CREATE INDEX compensation_by_status ON compensation (tenant_id, status, registered_at, execution_id, position);
--rollback DROP TABLE compensation;

--changeset wovyr:0022-compensation-aud
CREATE TABLE compensation_aud (
  tenant_id text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  execution_id uuid NOT NULL,
  position integer NOT NULL,
  rev bigint NOT NULL,
  revtype smallint NOT NULL,
  record_id uuid,
  created_at bigint,
  updated_at bigint,
  updated_by text COLLATE "C",
  schema_version integer,
  entity_version integer,
  serialization_version integer,
  activity_id text COLLATE "C",
  action text COLLATE "C",
  status text COLLATE "C",
  attempts integer,
  metadata text COLLATE "C",
  registered_at bigint,
  started_at bigint,
  finished_at bigint,
  next_attempt_at bigint,
  last_error text COLLATE "C",
  PRIMARY KEY (tenant_id, execution_id, position, rev)
);
CREATE INDEX compensation_aud_revision ON compensation_aud (tenant_id, rev);
CREATE TRIGGER compensation_aud_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON compensation_aud
  FOR EACH STATEMENT EXECUTE FUNCTION wovyr_append_only();
--rollback DROP TABLE compensation_aud;

--changeset wovyr:0023-schedule
CREATE TABLE schedule (
  tenant_id text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  name text COLLATE "C" NOT NULL,
  record_id uuid NOT NULL,
  version bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  updated_by text COLLATE "C" NOT NULL,
  schema_version integer NOT NULL,
  entity_version integer NOT NULL,
  serialization_version integer NOT NULL,
  extra bytea,
  kind text COLLATE "C" NOT NULL,
  expression text COLLATE "C" NOT NULL,
  zone text COLLATE "C",
  anchor bigint,
  definition_name text COLLATE "C" NOT NULL,
  definition_version integer NOT NULL,
  definition_digest text COLLATE "C" NOT NULL,
  misfire text COLLATE "C" NOT NULL,
  misfire_after bigint NOT NULL,
  not_before bigint,
  not_after bigint,
  paused boolean NOT NULL,
  next_fire_at bigint,
  last_fire_at bigint,
  fires bigint NOT NULL,
  input bytea,
  PRIMARY KEY (tenant_id, name)
) WITH (fillfactor = 80);
CREATE INDEX schedule_due ON schedule (next_fire_at, tenant_id, name)
  WHERE next_fire_at IS NOT NULL;
--rollback DROP TABLE schedule;

--changeset wovyr:0024-schedule-aud
CREATE TABLE schedule_aud (
  tenant_id text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  name text COLLATE "C" NOT NULL,
  rev bigint NOT NULL,
  revtype smallint NOT NULL,
  record_id uuid,
  created_at bigint,
  updated_at bigint,
  updated_by text COLLATE "C",
  schema_version integer,
  entity_version integer,
  serialization_version integer,
  kind text COLLATE "C",
  expression text COLLATE "C",
  zone text COLLATE "C",
  anchor bigint,
  definition_name text COLLATE "C",
  definition_version integer,
  definition_digest text COLLATE "C",
  misfire text COLLATE "C",
  misfire_after bigint,
  not_before bigint,
  not_after bigint,
  paused boolean,
  next_fire_at bigint,
  last_fire_at bigint,
  fires bigint,
  PRIMARY KEY (tenant_id, name, rev)
);
CREATE INDEX schedule_aud_revision ON schedule_aud (tenant_id, rev);
CREATE TRIGGER schedule_aud_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON schedule_aud
  FOR EACH STATEMENT EXECUTE FUNCTION wovyr_append_only();
--rollback DROP TABLE schedule_aud;

--changeset wovyr:0025-audit-record
CREATE TABLE audit_record (
  feed_key bigint NOT NULL,
  tenant_id text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  id uuid NOT NULL,
  record_id uuid NOT NULL,
  version bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  updated_by text COLLATE "C" NOT NULL,
  schema_version integer NOT NULL,
  entity_version integer NOT NULL,
  serialization_version integer NOT NULL,
  extra bytea,
  occurred_at bigint NOT NULL,
  action text COLLATE "C" NOT NULL,
  outcome text COLLATE "C" NOT NULL,
  subject_type text COLLATE "C" NOT NULL,
  subject_id text COLLATE "C" NOT NULL,
  correlation_id uuid,
  details_commitment bytea,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX audit_record_by_time ON audit_record (tenant_id, occurred_at, id);
CREATE INDEX audit_record_by_subject ON audit_record (tenant_id, subject_type, subject_id, occurred_at, id);
CREATE INDEX audit_record_feed ON audit_record (tenant_id, feed_key, id);
CREATE INDEX audit_record_feed_all ON audit_record (feed_key, id) WHERE feed_key > 0;
CREATE TRIGGER audit_record_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_record
  FOR EACH STATEMENT EXECUTE FUNCTION wovyr_append_only();
--rollback DROP TABLE audit_record;

--changeset wovyr:0026-audit-details
CREATE TABLE audit_details (
  tenant_id text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  id uuid NOT NULL,
  record_id uuid NOT NULL,
  version bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  updated_by text COLLATE "C" NOT NULL,
  schema_version integer NOT NULL,
  entity_version integer NOT NULL,
  serialization_version integer NOT NULL,
  extra bytea,
  details bytea,
  PRIMARY KEY (tenant_id, id)
);

CREATE TRIGGER audit_details_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_details
  FOR EACH STATEMENT EXECUTE FUNCTION wovyr_append_only();
--rollback DROP TABLE audit_details;

--changeset wovyr:0027-metrics-snapshot
CREATE TABLE metrics_snapshot (
  tenant_id text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  id uuid NOT NULL,
  record_id uuid NOT NULL,
  version bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  updated_by text COLLATE "C" NOT NULL,
  schema_version integer NOT NULL,
  entity_version integer NOT NULL,
  serialization_version integer NOT NULL,
  extra bytea,
  taken_at bigint NOT NULL,
  source text COLLATE "C" NOT NULL,
  readings text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX metrics_snapshot_by_source ON metrics_snapshot (tenant_id, source, taken_at, id);
--rollback DROP TABLE metrics_snapshot;

--changeset wovyr:0028-checkpoint
CREATE TABLE checkpoint (
  tenant_id text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  execution_id uuid NOT NULL,
  event_cursor bigint NOT NULL,
  generation integer NOT NULL,
  kind text COLLATE "C" NOT NULL,
  record_id uuid NOT NULL,
  version bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  updated_by text COLLATE "C" NOT NULL,
  schema_version integer NOT NULL,
  entity_version integer NOT NULL,
  serialization_version integer NOT NULL,
  extra bytea,
  checkpoint_id uuid NOT NULL,
  workflow_id text COLLATE "C" NOT NULL,
  workflow_version integer NOT NULL,
  checkpoint_version integer NOT NULL,
  origin text COLLATE "C" NOT NULL,
  triggered_by text COLLATE "C" NOT NULL,
  base_id uuid,
  chain_length integer NOT NULL,
  worker_id text COLLATE "C" NOT NULL,
  fencing_token bigint NOT NULL,
  state_version integer NOT NULL,
  state_hash bytea NOT NULL,
  current_state text COLLATE "C" NOT NULL,
  active_nodes text COLLATE "C" NOT NULL,
  completed_nodes integer NOT NULL,
  variables integer NOT NULL,
  activity_results integer NOT NULL,
  pending_events integer NOT NULL,
  lease_owner text COLLATE "C",
  metadata text COLLATE "C" NOT NULL,
  milestone boolean NOT NULL,
  expires_at bigint,
  codec text COLLATE "C" NOT NULL,
  compression text COLLATE "C" NOT NULL,
  encryption_version integer NOT NULL,
  key_id text COLLATE "C",
  store_name text COLLATE "C" NOT NULL,
  location text COLLATE "C" NOT NULL,
  stored_bytes bigint NOT NULL,
  state_bytes bigint NOT NULL,
  digest bytea NOT NULL,
  signature bytea,
  PRIMARY KEY (tenant_id, execution_id, event_cursor, generation, kind)
);
CREATE UNIQUE INDEX checkpoint_checkpoint_id ON checkpoint (tenant_id, checkpoint_id);
CREATE TRIGGER checkpoint_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON checkpoint
  FOR EACH STATEMENT EXECUTE FUNCTION wovyr_append_only();
--rollback DROP TABLE checkpoint;

--changeset wovyr:0029-checkpoint-mark
CREATE TABLE checkpoint_mark (
  tenant_id text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  execution_id uuid NOT NULL,
  checkpoint_id uuid NOT NULL,
  record_id uuid NOT NULL,
  version bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  updated_by text COLLATE "C" NOT NULL,
  schema_version integer NOT NULL,
  entity_version integer NOT NULL,
  serialization_version integer NOT NULL,
  extra bytea,
  validity text COLLATE "C" NOT NULL,
  reason text COLLATE "C",
  pinned_by text COLLATE "C",
  pin_reason text COLLATE "C",
  PRIMARY KEY (tenant_id, execution_id, checkpoint_id)
) WITH (fillfactor = 80);
--rollback DROP TABLE checkpoint_mark;

--changeset wovyr:0030-secret
CREATE TABLE secret (
  tenant_id text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  name text COLLATE "C" NOT NULL,
  secret_version integer NOT NULL,
  record_id uuid NOT NULL,
  version bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  updated_by text COLLATE "C" NOT NULL,
  schema_version integer NOT NULL,
  entity_version integer NOT NULL,
  serialization_version integer NOT NULL,
  extra bytea,
  value bytea,
  revoked_at bigint,
  PRIMARY KEY (tenant_id, name, secret_version)
);
--rollback DROP TABLE secret;

-- As in the step of that name; audit records are in the feed, too.

--changeset wovyr:0031-epoch-2 splitStatements:false rollbackSplitStatements:false
CREATE OR REPLACE FUNCTION wovyr_epoch() RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  here_system bigint := (SELECT system_identifier FROM pg_control_system());
  here_database bigint := (SELECT oid FROM pg_database WHERE datname = current_database());
  here_timeline bigint :=
    ('x' || lpad(left(pg_walfile_name(pg_current_wal_insert_lsn()), 8), 16, '0'))::bit(64)::bigint;
  found wovyr_store;
BEGIN
  SELECT * INTO found FROM wovyr_store WHERE id = 1;
  IF found.system_identifier = here_system AND found.database_oid = here_database
      AND found.timeline = here_timeline THEN
    RETURN found.epoch;
  END IF;
  LOCK TABLE workflow_event, audit_record IN SHARE ROW EXCLUSIVE MODE;
  UPDATE wovyr_store SET epoch = epoch + 1, system_identifier = here_system, database_oid = here_database,
      timeline = here_timeline
    WHERE id = 1 AND (system_identifier, database_oid, timeline) IS DISTINCT FROM
      (here_system, here_database, here_timeline);
  SELECT * INTO found FROM wovyr_store WHERE id = 1;
  RETURN found.epoch;
END $$;
--rollback CREATE OR REPLACE FUNCTION wovyr_epoch() RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$ DECLARE   here_system bigint := (SELECT system_identifier FROM pg_control_system());   here_database bigint := (SELECT oid FROM pg_database WHERE datname = current_database());   here_timeline bigint :=     ('x' || lpad(left(pg_walfile_name(pg_current_wal_insert_lsn()), 8), 16, '0'))::bit(64)::bigint;   found wovyr_store; BEGIN   SELECT * INTO found FROM wovyr_store WHERE id = 1;   IF found.system_identifier = here_system AND found.database_oid = here_database       AND found.timeline = here_timeline THEN     RETURN found.epoch;   END IF;   LOCK TABLE workflow_event IN SHARE ROW EXCLUSIVE MODE;   UPDATE wovyr_store SET epoch = epoch + 1, system_identifier = here_system, database_oid = here_database,       timeline = here_timeline     WHERE id = 1 AND (system_identifier, database_oid, timeline) IS DISTINCT FROM       (here_system, here_database, here_timeline);   SELECT * INTO found FROM wovyr_store WHERE id = 1;   RETURN found.epoch; END $$;

-- The walls of the tables since the last release, as in the step of that name.

--changeset wovyr:0032-row-level-security-2 splitStatements:false rollbackSplitStatements:false
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['execution_by_attribute',
      'definition',
      'definition_aud',
      'activity',
      'retry',
      'compensation',
      'compensation_aud',
      'schedule',
      'schedule_aud',
      'audit_record',
      'audit_details',
      'metrics_snapshot',
      'checkpoint',
      'checkpoint_mark',
      'secret'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY wovyr_tenant ON %I USING (tenant_id = current_setting(''wovyr.tenant'', true))'
      || ' WITH CHECK (tenant_id = current_setting(''wovyr.tenant'', true))', name);
  END LOOP;
END $$;
--rollback DO $$ DECLARE name text; BEGIN FOREACH name IN ARRAY ARRAY['execution_by_attribute', 'definition', 'definition_aud', 'activity', 'retry', 'compensation', 'compensation_aud', 'schedule', 'schedule_aud', 'audit_record', 'audit_details', 'metrics_snapshot', 'checkpoint', 'checkpoint_mark', 'secret'] LOOP EXECUTE format('DROP POLICY wovyr_tenant ON %I', name); EXECUTE format('ALTER TABLE %I NO FORCE ROW LEVEL SECURITY', name); EXECUTE format('ALTER TABLE %I DISABLE ROW LEVEL SECURITY', name); END LOOP; END $$;

--changeset wovyr:0033-schema-version-2
UPDATE wovyr_store SET schema_version = 2;
--rollback UPDATE wovyr_store SET schema_version = 1;

--changeset wovyr:0034-data-key
CREATE TABLE data_key (
  tenant_id text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  scope text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  record_id uuid NOT NULL,
  version bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  updated_by text COLLATE "C" NOT NULL,
  schema_version integer NOT NULL,
  entity_version integer NOT NULL,
  serialization_version integer NOT NULL,
  extra bytea,
  key_id uuid NOT NULL,
  wrapping_key_id text COLLATE "C" NOT NULL,
  wrapped bytea NOT NULL,
  PRIMARY KEY (tenant_id, scope, number)
);
CREATE UNIQUE INDEX data_key_key_id ON data_key (tenant_id, key_id);
CREATE INDEX data_key_by_wrapping_key ON data_key (wrapping_key_id, tenant_id, scope, number);
ALTER TABLE data_key ENABLE ROW LEVEL SECURITY;
ALTER TABLE data_key FORCE ROW LEVEL SECURITY;
CREATE POLICY wovyr_tenant ON data_key USING (tenant_id = current_setting('wovyr.tenant', true))
  WITH CHECK (tenant_id = current_setting('wovyr.tenant', true));
--rollback DROP TABLE data_key;

--changeset wovyr:0035-schema-version-3
UPDATE wovyr_store SET schema_version = 3;
--rollback UPDATE wovyr_store SET schema_version = 2;

--changeset wovyr:0036-revision-sealed
-- Who changed something and from where, sealed under a key of the tenant; then actor is empty and client null. The
-- index columns are reserved for blind indexes, by which a sealed value can be searched; nothing fills them yet.
ALTER TABLE revision ADD COLUMN client text COLLATE "C";
ALTER TABLE revision ADD COLUMN sealed_actor bytea;
ALTER TABLE revision ADD COLUMN sealed_client bytea;
ALTER TABLE revision ADD COLUMN sealed_actor_index bytea;
ALTER TABLE revision ADD COLUMN sealed_client_index bytea;
--rollback ALTER TABLE revision DROP COLUMN sealed_client_index;
--rollback ALTER TABLE revision DROP COLUMN sealed_actor_index;
--rollback ALTER TABLE revision DROP COLUMN sealed_client;
--rollback ALTER TABLE revision DROP COLUMN sealed_actor;
--rollback ALTER TABLE revision DROP COLUMN client;

--changeset wovyr:0037-schema-version-4
UPDATE wovyr_store SET schema_version = 4;
--rollback UPDATE wovyr_store SET schema_version = 3;

--changeset wovyr:0038-checkpoint-definition-digest
-- Of the definition a checkpoint's state belongs to; manifests from before have none.
ALTER TABLE checkpoint ADD COLUMN definition_digest text COLLATE "C";
--rollback ALTER TABLE checkpoint DROP COLUMN definition_digest;

--changeset wovyr:0039-schema-version-5
UPDATE wovyr_store SET schema_version = 5;
--rollback UPDATE wovyr_store SET schema_version = 4;

--changeset wovyr:0040-checkpoint-mark-sealed-reasons
-- Why a checkpoint is invalid and why it is wanted, sealed; then reason and pin_reason are null. Marks from before keep
-- theirs in clear until they change.
ALTER TABLE checkpoint_mark ADD COLUMN sealed_reason bytea;
ALTER TABLE checkpoint_mark ADD COLUMN sealed_pin_reason bytea;
--rollback ALTER TABLE checkpoint_mark DROP COLUMN sealed_pin_reason;
--rollback ALTER TABLE checkpoint_mark DROP COLUMN sealed_reason;

--changeset wovyr:0041-schema-version-6
UPDATE wovyr_store SET schema_version = 6;
--rollback UPDATE wovyr_store SET schema_version = 5;

--changeset wovyr:0042-large-value
CREATE TABLE large_value (
  tenant_id text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  value_id uuid NOT NULL,
  record_id uuid NOT NULL,
  version bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  updated_by text COLLATE "C" NOT NULL,
  schema_version integer NOT NULL,
  entity_version integer NOT NULL,
  serialization_version integer NOT NULL,
  extra bytea,
  status text COLLATE "C" NOT NULL,
  owner_type text COLLATE "C" NOT NULL,
  execution_id uuid,
  sequence bigint,
  chunks integer NOT NULL,
  stored_bytes bigint NOT NULL,
  expires_at bigint,
  PRIMARY KEY (tenant_id, value_id)
);
CREATE INDEX large_value_by_event ON large_value (tenant_id, execution_id, sequence, value_id) WHERE execution_id IS NOT NULL AND sequence IS NOT NULL;
CREATE INDEX large_value_expiry ON large_value (expires_at, tenant_id, value_id) WHERE expires_at IS NOT NULL;
ALTER TABLE large_value ENABLE ROW LEVEL SECURITY;
ALTER TABLE large_value FORCE ROW LEVEL SECURITY;
CREATE POLICY wovyr_tenant ON large_value USING (tenant_id = current_setting('wovyr.tenant', true))
  WITH CHECK (tenant_id = current_setting('wovyr.tenant', true));
--rollback DROP TABLE large_value;

--changeset wovyr:0043-chunk
-- Sealed, and compressed where that helps: the server is not to try again.
CREATE TABLE chunk (
  tenant_id text COLLATE "C" NOT NULL CHECK (tenant_id <> ''),
  value_id uuid NOT NULL,
  number integer NOT NULL,
  record_id uuid NOT NULL,
  version bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  updated_by text COLLATE "C" NOT NULL,
  schema_version integer NOT NULL,
  entity_version integer NOT NULL,
  serialization_version integer NOT NULL,
  extra bytea,
  content bytea NOT NULL,
  PRIMARY KEY (tenant_id, value_id, number)
);
ALTER TABLE chunk ALTER COLUMN content SET STORAGE EXTERNAL;
ALTER TABLE chunk ENABLE ROW LEVEL SECURITY;
ALTER TABLE chunk FORCE ROW LEVEL SECURITY;
CREATE POLICY wovyr_tenant ON chunk USING (tenant_id = current_setting('wovyr.tenant', true))
  WITH CHECK (tenant_id = current_setting('wovyr.tenant', true));
--rollback DROP TABLE chunk;

--changeset wovyr:0044-schema-version-7
UPDATE wovyr_store SET schema_version = 7;
--rollback UPDATE wovyr_store SET schema_version = 6;
