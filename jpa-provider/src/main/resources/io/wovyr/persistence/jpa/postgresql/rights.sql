-- The roles that hold the rights, and what each may do. Run by every "migrate up" after the changelog, in one
-- transaction, under the migration role; running it again changes nothing. The roles cannot log in: logins are made
-- members of one of them by whoever administers the server. The prefix of their names comes in wovyr.role_prefix,
-- the tables whose rows may ever be removed, joined by commas, in wovyr.removed_by_batches and wovyr.removed_by_purges.
DO $$
DECLARE
  runtime text := current_setting('wovyr.role_prefix') || '_runtime';
  system text := current_setting('wovyr.role_prefix') || '_system';
  purge text := current_setting('wovyr.role_prefix') || '_purge';
  role text;
  name text;
  append_only boolean;
  by_batches text[] := string_to_array(current_setting('wovyr.removed_by_batches'), ',');
  by_purges text[] := string_to_array(current_setting('wovyr.removed_by_purges'), ',');
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
  EXECUTE format('GRANT USAGE ON SEQUENCE revision_seq TO %I, %I', runtime, purge);
  EXECUTE format('GRANT INSERT, DELETE ON feed_mark TO %I', purge);
  EXECUTE format('GRANT UPDATE (purges) ON wovyr_store TO %I', purge);
  -- Every table with rows of tenants; those whose rows never change have the trigger that says so.
  FOR name, append_only IN
    SELECT c.relname, EXISTS (SELECT FROM pg_trigger g WHERE g.tgrelid = c.oid AND g.tgname = c.relname || '_append_only')
    FROM pg_class c
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
      AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped)
  LOOP
    EXECUTE format('GRANT SELECT ON %I TO %I', name, system);
    IF NOT EXISTS (SELECT FROM pg_policies p WHERE p.schemaname = current_schema() AND p.tablename = name
        AND p.policyname = 'wovyr_system') THEN
      EXECUTE format('CREATE POLICY wovyr_system ON %I FOR SELECT TO %I USING (true)', name, system);
    END IF;
    CONTINUE WHEN name = 'feed_mark';
    EXECUTE format('GRANT SELECT, INSERT ON %I TO %I, %I', name, runtime, purge);
    IF NOT append_only THEN
      EXECUTE format('GRANT UPDATE ON %I TO %I, %I', name, runtime, purge);
    END IF;
    -- Earlier versions granted more.
    EXECUTE format('REVOKE DELETE ON %I FROM %I, %I', name, runtime, purge);
    IF name = ANY (by_batches) THEN
      EXECUTE format('GRANT DELETE ON %I TO %I, %I', name, runtime, purge);
    ELSIF name = ANY (by_purges) THEN
      EXECUTE format('GRANT DELETE ON %I TO %I', name, purge);
    END IF;
  END LOOP;
  IF NOT EXISTS (SELECT FROM pg_policies p WHERE p.schemaname = current_schema() AND p.tablename = 'feed_mark'
      AND p.policyname = 'wovyr_purge') THEN
    EXECUTE format('CREATE POLICY wovyr_purge ON feed_mark TO %I USING (tenant_id = '''')'
      || ' WITH CHECK (tenant_id = '''')', purge);
  END IF;
END $$;
