-- What is forgotten for good, what that leaves to a person, and the tombstones that keep it from coming back: see schema.sql.
-- What is forgotten for good, and how far that is. target_id: of a subject, memory, session or episode. subject_ids: all that are one with
-- the subject; brain_ids: their own brains, which go whole. labels: what they were called, kept only until nothing of it is looked for any
-- more. position, counts and receipt: numbers, ids and words of the product.
CREATE TABLE mem.erasures (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  kind text NOT NULL,
  target_id uuid NOT NULL,
  state text NOT NULL,
  subject_ids uuid[] NOT NULL,
  brain_ids uuid[] NOT NULL,
  labels jsonb,
  position jsonb NOT NULL,
  counts jsonb NOT NULL,
  requested_by uuid,
  requested_key text,
  created_at timestamptz NOT NULL,
  changed_at timestamptz NOT NULL,
  worked_until timestamptz,
  completed_at timestamptz,
  receipt jsonb,
  CONSTRAINT erasures_pk PRIMARY KEY (org_id, id),
  CONSTRAINT erasures_kind_ck CHECK (kind IN ('subject', 'memory', 'session', 'source')),
  CONSTRAINT erasures_state_ck CHECK (state IN ('running', 'deciding', 'complete')),
  CONSTRAINT erasures_complete_ck CHECK ((state = 'complete') = (receipt IS NOT NULL))
) WITH (fillfactor = 70);

-- What an erasure leaves to a person: an object that holds a name which others share, or one whose seal is broken. decision: NULL while open.
CREATE TABLE mem.erasure_decisions (
  org_id uuid NOT NULL,
  erasure_id uuid NOT NULL,
  object_kind text NOT NULL,
  object_id uuid NOT NULL,
  brain_id uuid,
  reason text NOT NULL,
  decision text,
  decided_by uuid,
  decided_at timestamptz,
  CONSTRAINT erasure_decisions_pk PRIMARY KEY (org_id, erasure_id, object_kind, object_id),
  CONSTRAINT erasure_decisions_reason_ck CHECK (reason IN ('ambiguous', 'unsealed')),
  CONSTRAINT erasure_decisions_decision_ck CHECK (decision IN ('erase', 'keep'))
);

-- Tombstones: keyed digests of what was erased, so that it does not come back with an import, a replay or an older backup. They outlive their
-- org, and no row ever changes. kind: subject, identity, memory, session, source, org; cut and keep: what was decided of an object.
CREATE TABLE mem.erasure_ledger (
  org_id uuid NOT NULL,
  kind text NOT NULL,
  digest bytea NOT NULL,
  key_id text NOT NULL,
  erased_at timestamptz NOT NULL,
  CONSTRAINT erasure_ledger_pk PRIMARY KEY (org_id, kind, digest),
  CONSTRAINT erasure_ledger_digest_ck CHECK (octet_length(digest) = 32)
);

ALTER TABLE mem.erasures ADD CONSTRAINT erasures_org_fk FOREIGN KEY (org_id) REFERENCES mem.orgs (id);
ALTER TABLE mem.erasure_decisions ADD CONSTRAINT erasure_decisions_erasure_fk
  FOREIGN KEY (org_id, erasure_id) REFERENCES mem.erasures (org_id, id) ON DELETE CASCADE;

-- erasures.list_unfinished: few rows, and none when everything is done
CREATE INDEX erasures_unfinished_idx ON mem.erasures (org_id, changed_at) WHERE state = 'running';

-- Every brain of the current org, by id: an erasure looks into each, as a job bound to it. Ids alone.
CREATE FUNCTION mem.list_brain_ids() RETURNS TABLE (brain_id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
  AS $$ SELECT b.id FROM mem.brains b WHERE b.org_id = mem.current_org() ORDER BY b.id $$;

-- The brain of a memory, a session or an episode of the current org, for whoever may erase without reading; NULL for none, or one that is gone.
CREATE FUNCTION mem.brain_of(what text, object uuid) RETURNS uuid
  LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
  AS $$
    SELECT m.brain_id FROM mem.memories m WHERE what = 'memory' AND m.org_id = mem.current_org() AND m.id = object AND m.status <> 'deleted'
    UNION ALL
    SELECT s.brain_id FROM mem.sessions s WHERE what = 'session' AND s.org_id = mem.current_org() AND s.id = object
    UNION ALL
    SELECT e.brain_id FROM mem.episodes e WHERE what = 'source' AND e.org_id = mem.current_org() AND e.id = object
  $$;

-- Takes subjects out of the directory: keys with their replays, platform ids, labels with where they were seen, merges, teams, memberships, the
-- subjects themselves. Brains in `homes` lose their members and their name. How many rows of each table. Called by an erasure.
CREATE FUNCTION mem.erase_people(org uuid, ids uuid[], homes uuid[]) RETURNS jsonb
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
  AS $$
DECLARE
  counts jsonb := '{}';
  gone integer;
  brain uuid;
  reached uuid[];
BEGIN
  IF org IS DISTINCT FROM mem.current_org() THEN
    RAISE EXCEPTION 'erase_people: not the current org' USING ERRCODE = 'insufficient_privilege';
  END IF;
  DELETE FROM mem.idempotency_keys i USING mem.api_keys k
   WHERE i.org_id = org AND k.org_id = org AND k.id = i.key_id AND k.subject_id = ANY (ids);
  GET DIAGNOSTICS gone = ROW_COUNT;
  counts := counts || jsonb_build_object('idempotency_keys', gone);
  DELETE FROM mem.api_keys k WHERE k.org_id = org AND k.subject_id = ANY (ids);
  GET DIAGNOSTICS gone = ROW_COUNT;
  counts := counts || jsonb_build_object('api_keys', gone);
  UPDATE mem.api_keys k SET act_as_subjects = ARRAY(SELECT x FROM unnest(k.act_as_subjects) x WHERE x <> ALL (ids))
   WHERE k.org_id = org AND k.act_as_subjects && ids;
  DELETE FROM mem.subject_identities i WHERE i.org_id = org AND i.subject_id = ANY (ids);
  GET DIAGNOSTICS gone = ROW_COUNT;
  counts := counts || jsonb_build_object('subject_identities', gone);
  DELETE FROM mem.alias_sightings s WHERE s.org_id = org AND s.subject_id = ANY (ids);
  GET DIAGNOSTICS gone = ROW_COUNT;
  counts := counts || jsonb_build_object('alias_sightings', gone);
  DELETE FROM mem.subject_aliases a WHERE a.org_id = org AND a.subject_id = ANY (ids);
  GET DIAGNOSTICS gone = ROW_COUNT;
  counts := counts || jsonb_build_object('subject_aliases', gone);
  DELETE FROM mem.subject_redirects r WHERE r.org_id = org AND (r.subject_id = ANY (ids) OR r.into_id = ANY (ids));
  GET DIAGNOSTICS gone = ROW_COUNT;
  counts := counts || jsonb_build_object('subject_redirects', gone);
  SELECT coalesce(array_agg(DISTINCT m.brain_id), '{}') INTO reached
    FROM mem.brain_members m WHERE m.org_id = org AND m.member_id = ANY (ids) AND m.brain_id <> ALL (homes);
  DELETE FROM mem.team_members t WHERE t.org_id = org AND (t.subject_id = ANY (ids) OR t.team_id = ANY (ids));
  GET DIAGNOSTICS gone = ROW_COUNT;
  counts := counts || jsonb_build_object('team_members', gone);
  DELETE FROM mem.brain_members m WHERE m.org_id = org AND (m.member_id = ANY (ids) OR m.brain_id = ANY (homes));
  GET DIAGNOSTICS gone = ROW_COUNT;
  counts := counts || jsonb_build_object('brain_members', gone);
  DELETE FROM mem.brain_access a WHERE a.org_id = org AND (a.subject_id = ANY (ids) OR a.brain_id = ANY (homes));
  FOREACH brain IN ARRAY reached LOOP
    PERFORM mem.rebuild_brain_access(org, brain);
  END LOOP;
  UPDATE mem.brains b SET name = '[ERASED]' WHERE b.org_id = org AND b.id = ANY (homes);
  DELETE FROM mem.subjects s WHERE s.org_id = org AND s.id = ANY (ids);
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN counts || jsonb_build_object('subjects', gone);
END
$$;

-- Ids of stored questions that these subjects asked, that show a memory which was deleted since a moment, that ask about these subjects, or
-- that hold what a pattern matches; by id, at most so many of those behind `after`. Ids alone: whoever erases does not read them.
CREATE FUNCTION mem.find_questions(org uuid, ids uuid[], since timestamptz, pattern text, after uuid, most integer) RETURNS TABLE (question_id uuid)
  LANGUAGE plpgsql STABLE SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
  AS $$
BEGIN
  IF org IS DISTINCT FROM mem.current_org() THEN
    RAISE EXCEPTION 'find_questions: not the current org' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN QUERY
    SELECT x.id FROM (
      SELECT r.id
        FROM mem.recalls r
       WHERE r.org_id = org AND r.id > after
         AND (r.subject_id = ANY (ids) OR r.acting_for = ANY (ids) OR r.query ~* pattern OR r.purpose ~* pattern
              OR CAST(r.filters AS text) ~* pattern
              OR EXISTS (SELECT 1 FROM unnest(ids) i (id) WHERE position(CAST(i.id AS text) IN CAST(r.filters AS text)) > 0)
              OR EXISTS (SELECT 1 FROM unnest(r.memory_ids) u (id)
                           JOIN mem.memories m ON m.org_id = org AND m.id = u.id AND m.status = 'deleted' AND m.updated_at >= since))
      UNION
      SELECT q.id
        FROM mem.feedback_queries q
       WHERE q.org_id = org AND q.id > after AND (q.subject_id = ANY (ids) OR q.query ~* pattern)
    ) x
     ORDER BY x.id
     LIMIT most;
END
$$;

-- Deletes these questions, and their copies beside feedback; how many. What became of memories that they showed stays counted.
CREATE FUNCTION mem.delete_questions(org uuid, ids uuid[]) RETURNS integer
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
  AS $$
DECLARE
  gone integer;
  copies integer;
BEGIN
  IF org IS DISTINCT FROM mem.current_org() THEN
    RAISE EXCEPTION 'delete_questions: not the current org' USING ERRCODE = 'insufficient_privilege';
  END IF;
  DELETE FROM mem.recalls r WHERE r.org_id = org AND r.id = ANY (ids);
  GET DIAGNOSTICS gone = ROW_COUNT;
  DELETE FROM mem.feedback_queries q WHERE q.org_id = org AND q.id = ANY (ids);
  GET DIAGNOSTICS copies = ROW_COUNT;
  RETURN gone + copies;
END
$$;

-- Another name for a brain in whose name somebody stood who is erased.
CREATE FUNCTION mem.set_brain_name(org uuid, brain uuid, named text) RETURNS void
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
  AS $$
BEGIN
  IF org IS DISTINCT FROM mem.current_org() THEN
    RAISE EXCEPTION 'set_brain_name: not the current org' USING ERRCODE = 'insufficient_privilege';
  END IF;
  UPDATE mem.brains b SET name = named WHERE b.org_id = org AND b.id = brain;
END
$$;

SELECT mem.guard_org('erasures', 'SELECT, INSERT, UPDATE');
SELECT mem.guard_org('erasure_decisions', 'SELECT, INSERT, UPDATE');
SELECT mem.guard_org('erasure_ledger', 'SELECT, INSERT');

REVOKE EXECUTE ON FUNCTION mem.list_brain_ids() FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION mem.brain_of(text, uuid) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION mem.erase_people(uuid, uuid[], uuid[]) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION mem.find_questions(uuid, uuid[], timestamptz, text, uuid, integer) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION mem.delete_questions(uuid, uuid[]) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION mem.set_brain_name(uuid, uuid, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION mem.list_brain_ids() TO memdb_app;
GRANT EXECUTE ON FUNCTION mem.brain_of(text, uuid) TO memdb_app;
GRANT EXECUTE ON FUNCTION mem.erase_people(uuid, uuid[], uuid[]) TO memdb_app;
GRANT EXECUTE ON FUNCTION mem.find_questions(uuid, uuid[], timestamptz, text, uuid, integer) TO memdb_app;
GRANT EXECUTE ON FUNCTION mem.delete_questions(uuid, uuid[]) TO memdb_app;
GRANT EXECUTE ON FUNCTION mem.set_brain_name(uuid, uuid, text) TO memdb_app;
