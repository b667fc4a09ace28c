-- Keys that rotate, are counted and tell their last use; looks into brains (break_glass): see schema.sql.
ALTER TABLE mem.api_keys ADD COLUMN reason text;
ALTER TABLE mem.api_keys ADD COLUMN requests_per_minute integer;
ALTER TABLE mem.api_keys ADD COLUMN last_used_at timestamptz;
ALTER TABLE mem.api_keys ADD COLUMN replaced_by text;
ALTER TABLE mem.api_keys ADD CONSTRAINT api_keys_requests_ck CHECK (requests_per_minute > 0);
ALTER TABLE mem.recalls ADD COLUMN looks uuid[];

CREATE TABLE mem.looks (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  brain_id uuid NOT NULL,
  key_id text NOT NULL,
  subject_id uuid NOT NULL,
  reason text NOT NULL,
  begins_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  ended_at timestamptz,
  CONSTRAINT looks_pk PRIMARY KEY (org_id, id),
  CONSTRAINT looks_reason_ck CHECK (reason <> ''),
  CONSTRAINT looks_span_ck CHECK (ends_at > begins_at AND ends_at <= begins_at + interval '1 hour')
);
ALTER TABLE mem.looks ADD CONSTRAINT looks_brain_fk FOREIGN KEY (org_id, brain_id) REFERENCES mem.brains (org_id, id);
ALTER TABLE mem.looks ADD CONSTRAINT looks_subject_fk FOREIGN KEY (org_id, subject_id) REFERENCES mem.subjects (org_id, id);
CREATE INDEX looks_key_idx ON mem.looks (org_id, key_id, ends_at);
CREATE INDEX looks_brain_idx ON mem.looks (org_id, brain_id, id);

CREATE OR REPLACE FUNCTION mem.role_in(brain uuid) RETURNS text
  LANGUAGE plpgsql STABLE SECURITY DEFINER COST 2000
  SET search_path = pg_catalog, pg_temp
  AS $$
DECLARE
  org uuid := nullif(current_setting('mem.org_id', true), '')::uuid;
  job_brain text := current_setting('mem.job_brain_id', true);
  subject uuid;
  role_found text;
  key_role text;
BEGIN
  IF org IS NULL OR brain IS NULL THEN
    RETURN NULL;
  END IF;
  IF job_brain IS NOT NULL AND job_brain <> '' AND brain = job_brain::uuid THEN
    RETURN 'writer';
  END IF;
  subject := nullif(current_setting('mem.subject_id', true), '')::uuid;
  IF subject IS NULL THEN
    RETURN NULL;
  END IF;
  -- Single-row probes: a join or an IN takes twice as long.
  SELECT a.role INTO role_found FROM mem.brain_access a WHERE a.org_id = org AND a.subject_id = subject AND a.brain_id = brain;
  IF role_found IS NULL THEN
    SELECT a.role INTO role_found FROM mem.brain_access a WHERE a.org_id = org AND a.subject_id = org AND a.brain_id = brain;
    IF role_found IS NULL THEN
      -- Nothing for the subject: then it may be a look, of an administrator's live key that acts for nobody.
      PERFORM 1 FROM mem.looks l
        WHERE l.org_id = org AND l.key_id = current_setting('mem.key_id', true) AND l.ends_at > now()
          AND l.ended_at IS NULL AND l.brain_id = brain AND l.subject_id = subject;
      IF NOT FOUND THEN
        RETURN NULL;
      END IF;
      PERFORM 1 FROM mem.api_keys k
        WHERE k.org_id = org AND k.id = current_setting('mem.key_id', true) AND k.subject_id = subject AND 'admin' = ANY (k.capabilities)
          AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()) AND (k.brains IS NULL OR brain = ANY (k.brains));
      RETURN CASE WHEN FOUND THEN 'looker' END;
    END IF;
  END IF;
  SELECT k.max_role INTO key_role
    FROM mem.api_keys k
   WHERE k.org_id = org AND k.id = current_setting('mem.key_id', true)
     AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
     AND (k.brains IS NULL OR brain = ANY (k.brains))
     AND (k.subject_id = subject OR subject = ANY (k.act_as_subjects) OR brain = ANY (k.act_as_brains));
  IF key_role IS NULL THEN
    RETURN NULL;
  END IF;
  RETURN CASE WHEN 'reader' IN (role_found, key_role) THEN 'reader' WHEN 'writer' IN (role_found, key_role) THEN 'writer' ELSE 'admin' END;
END
$$;

CREATE FUNCTION mem.is_member(brain uuid) RETURNS boolean
  LANGUAGE sql STABLE
  AS $$ SELECT coalesce(mem.role_in(brain) <> 'looker', false) $$;

CREATE FUNCTION mem.break_glass(look uuid, brain uuid, why text, begins timestamptz, ends timestamptz) RETURNS boolean
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
  AS $$
DECLARE
  org uuid := mem.current_org();
  key text := current_setting('mem.key_id', true);
BEGIN
  PERFORM 1 FROM mem.api_keys k
    WHERE k.org_id = org AND k.id = key AND k.subject_id = mem.current_subject() AND 'admin' = ANY (k.capabilities)
      AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()) AND (k.brains IS NULL OR brain = ANY (k.brains));
  IF NOT FOUND THEN
    RAISE EXCEPTION 'break_glass: not a key of an administrator' USING ERRCODE = 'insufficient_privilege';
  END IF;
  PERFORM 1 FROM mem.brains b WHERE b.org_id = org AND b.id = brain;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  INSERT INTO mem.looks (org_id, id, brain_id, key_id, subject_id, reason, begins_at, ends_at)
    VALUES (org, look, brain, key, mem.current_subject(), why, begins, ends);
  RETURN true;
END
$$;

CREATE FUNCTION mem.end_look(brain uuid, look uuid, at timestamptz) RETURNS boolean
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
  AS $$
BEGIN
  PERFORM 1 FROM mem.api_keys k
    WHERE k.org_id = mem.current_org() AND k.id = current_setting('mem.key_id', true) AND k.subject_id = mem.current_subject()
      AND 'admin' = ANY (k.capabilities) AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now());
  IF NOT FOUND THEN
    RAISE EXCEPTION 'end_look: not a key of an administrator' USING ERRCODE = 'insufficient_privilege';
  END IF;
  UPDATE mem.looks l SET ended_at = least(at, l.ends_at)
    WHERE l.org_id = mem.current_org() AND l.brain_id = brain AND l.id = look AND l.ended_at IS NULL;
  RETURN EXISTS (SELECT 1 FROM mem.looks l WHERE l.org_id = mem.current_org() AND l.brain_id = brain AND l.id = look);
END
$$;

ALTER TABLE mem.looks ENABLE ROW LEVEL SECURITY;
CREATE POLICY app_read ON mem.looks FOR SELECT TO memdb_app
  USING (org_id = mem.current_org() AND (subject_id = mem.current_subject() OR mem.can_read(brain_id)));
GRANT SELECT ON mem.looks TO memdb_app;

REVOKE EXECUTE ON FUNCTION mem.break_glass(uuid, uuid, text, timestamptz, timestamptz) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION mem.end_look(uuid, uuid, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION mem.break_glass(uuid, uuid, text, timestamptz, timestamptz) TO memdb_app;
GRANT EXECUTE ON FUNCTION mem.end_look(uuid, uuid, timestamptz) TO memdb_app;

-- Whoever only looks leaves nothing behind.
DROP POLICY app_stats ON mem.memory_stats;
CREATE POLICY app_read ON mem.memory_stats FOR SELECT TO memdb_app USING (org_id = mem.current_org() AND mem.can_read(brain_id));
CREATE POLICY app_insert ON mem.memory_stats FOR INSERT TO memdb_app WITH CHECK (org_id = mem.current_org() AND mem.is_member(brain_id));
CREATE POLICY app_update ON mem.memory_stats FOR UPDATE TO memdb_app
  USING (org_id = mem.current_org() AND mem.is_member(brain_id)) WITH CHECK (org_id = mem.current_org() AND mem.is_member(brain_id));
CREATE POLICY app_delete ON mem.memory_stats FOR DELETE TO memdb_app USING (org_id = mem.current_org() AND mem.is_member(brain_id));
DROP POLICY app_insert ON mem.alias_sightings;
DROP POLICY app_update ON mem.alias_sightings;
CREATE POLICY app_insert ON mem.alias_sightings FOR INSERT TO memdb_app
  WITH CHECK (org_id = mem.current_org() AND (brain_id IS NULL OR mem.is_member(brain_id)));
CREATE POLICY app_update ON mem.alias_sightings FOR UPDATE TO memdb_app
  USING (org_id = mem.current_org() AND (brain_id IS NULL OR mem.is_member(brain_id)))
  WITH CHECK (org_id = mem.current_org() AND (brain_id IS NULL OR mem.is_member(brain_id)));
DROP POLICY app_insert ON mem.outcomes;
DROP POLICY app_update ON mem.outcomes;
CREATE POLICY app_insert ON mem.outcomes FOR INSERT TO memdb_app
  WITH CHECK (org_id = mem.current_org() AND subject_id = mem.current_subject() AND mem.is_member(brain_id));
CREATE POLICY app_update ON mem.outcomes FOR UPDATE TO memdb_app
  USING (org_id = mem.current_org() AND (mem.current_subject() IS NULL OR subject_id = mem.current_subject()) AND mem.is_member(brain_id))
  WITH CHECK (org_id = mem.current_org() AND (mem.current_subject() IS NULL OR subject_id = mem.current_subject()) AND mem.is_member(brain_id));
