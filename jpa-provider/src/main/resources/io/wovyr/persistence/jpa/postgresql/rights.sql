-- The roles that hold the rights, and what each may do. Run by every "migrate up" after the changelog, in one
-- transaction, under the migration role; running it again changes nothing. The roles cannot log in: logins are made
-- members of one of them by whoever administers the server. The prefix of their names comes in wovyr.role_prefix.
DO $$
DECLARE
  runtime text := current_setting('wovyr.role_prefix') || '_runtime';
  system text := current_setting('wovyr.role_prefix') || '_system';
  purge text := current_setting('wovyr.role_prefix') || '_purge';
  role text;
  name text;
BEGIN
  FOREACH role IN ARRAY ARRAY[runtime, system, purge] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) THEN
      BEGIN
        EXECUTE format('CREATE ROLE %I NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS', role);
      EXCEPTION
        WHEN insufficient_privilege THEN
          RAISE EXCEPTION 'role % is missing', role USING ERRCODE = 'WV001';
        WHEN duplicate_object OR unique_violation THEN
          NULL; -- Another database of this server was migrated at the same time.
      END;
    END IF;
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO %I', current_schema(), role);
    EXECUTE format('GRANT SELECT ON wovyr_store, feed_mark TO %I', role);
    EXECUTE format('GRANT EXECUTE ON FUNCTION wovyr_epoch() TO %I', role);
  END LOOP;
  FOREACH role IN ARRAY ARRAY[runtime, purge] LOOP
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON execution, execution_head, named_lease, commit_marker,'
      || ' feed_cursor TO %I', role);
    EXECUTE format('GRANT SELECT, INSERT ON workflow_event TO %I', role);
  END LOOP;
  EXECUTE format('GRANT DELETE ON workflow_event TO %I', purge);
  EXECUTE format('GRANT INSERT, DELETE ON feed_mark TO %I', purge);
  EXECUTE format('GRANT UPDATE (purges) ON wovyr_store TO %I', purge);
  FOREACH name IN ARRAY ARRAY['execution', 'execution_head', 'workflow_event', 'named_lease', 'commit_marker',
      'feed_cursor', 'feed_mark'] LOOP
    EXECUTE format('GRANT SELECT ON %I TO %I', name, system);
    IF NOT EXISTS (SELECT FROM pg_policies p WHERE p.schemaname = current_schema() AND p.tablename = name
        AND p.policyname = 'wovyr_system') THEN
      EXECUTE format('CREATE POLICY wovyr_system ON %I FOR SELECT TO %I USING (true)', name, system);
    END IF;
  END LOOP;
  IF NOT EXISTS (SELECT FROM pg_policies p WHERE p.schemaname = current_schema() AND p.tablename = 'feed_mark'
      AND p.policyname = 'wovyr_purge') THEN
    EXECUTE format('CREATE POLICY wovyr_purge ON feed_mark TO %I USING (tenant_id = '''')'
      || ' WITH CHECK (tenant_id = '''')', purge);
  END IF;
END $$;
