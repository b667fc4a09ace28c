-- Reads are audited: who was shown a memory is told by one function. Sealed events can be archived in files; see schema.sql.
CREATE TABLE mem.audit_archives (
  org_id uuid NOT NULL,
  last_position bigint NOT NULL,
  first_position bigint NOT NULL,
  statement jsonb NOT NULL,
  archived_at timestamptz NOT NULL,
  CONSTRAINT audit_archives_pk PRIMARY KEY (org_id, last_position),
  CONSTRAINT audit_archives_positions_ck CHECK (first_position BETWEEN 1 AND last_position)
);

CREATE TABLE mem.audit_carried (
  org_id uuid NOT NULL,
  object_kind text NOT NULL,
  object_id text NOT NULL,
  place text NOT NULL,
  position bigint NOT NULL,
  commitment bytea,
  CONSTRAINT audit_carried_pk PRIMARY KEY (org_id, object_kind, object_id, place)
);

SELECT mem.guard_org('audit_archives', 'SELECT');
SELECT mem.guard_org('audit_carried', 'SELECT');

ALTER TABLE mem.recalls ADD COLUMN beside uuid[];

CREATE INDEX audit_events_state_idx ON mem.audit_events (org_id, object_id, id) WHERE commitment IS NOT NULL;
CREATE INDEX audit_carried_copy_idx ON mem.audit_carried (org_id, place) WHERE object_kind = 'share';

CREATE FUNCTION mem.list_reads(memory uuid, since timestamptz, until timestamptz, before uuid, most integer)
  RETURNS TABLE (id uuid, at timestamptz, action text, key_id text, subject_id uuid, acting boolean, request_id text)
  LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
  AS $$
  SELECT * FROM (
    (SELECT e.id, e.at, e.action, e.actor_key, coalesce(e.acting_for, e.actor_subject), e.acting_for IS NOT NULL, e.request_id
       FROM mem.audit_events e
      WHERE e.org_id = mem.current_org() AND e.id < before
        AND e.id >= mem.uuid_floor(since) AND e.id < mem.uuid_floor(until + interval '1 hour') AND e.at >= since AND e.at < until
        AND (starts_with(e.action, 'read.') AND (e.detail -> 'memories') ? memory::text
             OR e.action = 'quarantine.preview' AND (e.detail -> 'shown') ? memory::text
             OR e.action = 'review.read' AND e.object_id = memory::text)
      ORDER BY e.id DESC LIMIT most)
    UNION ALL
    (SELECT r.id, r.created_at, 'recall', r.key_id, r.subject_id, r.acting_for IS NOT NULL, r.request_id
       FROM mem.recalls r
      WHERE r.org_id = mem.current_org() AND r.id < before
        AND r.id >= mem.uuid_floor(since) AND r.id < mem.uuid_floor(until + interval '1 hour') AND r.created_at >= since AND r.created_at < until
        AND (memory = ANY (r.memory_ids) OR memory = ANY (r.beside))
      ORDER BY r.id DESC LIMIT most)
  ) shown (id, at, action, key_id, subject_id, acting, request_id)
  ORDER BY 1 DESC LIMIT most
  $$;

REVOKE EXECUTE ON FUNCTION mem.list_reads(uuid, timestamptz, timestamptz, uuid, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION mem.list_reads(uuid, timestamptz, timestamptz, uuid, integer) TO memdb_app;

CREATE FUNCTION mem.keep_unarchived() RETURNS trigger
  LANGUAGE plpgsql
  AS $$
DECLARE
  place bigint;
BEGIN
  IF TG_ARGV[0] = 'place' THEN
    place := OLD.position;
  ELSE
    SELECT c.position INTO place FROM mem.audit_chain c WHERE c.org_id = OLD.org_id AND c.event_id = OLD.id;
  END IF;
  IF NOT EXISTS (SELECT FROM mem.audit_archives a WHERE a.org_id = OLD.org_id AND a.last_position >= place AND a.first_position <= place) THEN
    RAISE EXCEPTION 'audit events are append-only' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN OLD;
END
$$;

DROP TRIGGER audit_events_append_only ON mem.audit_events;
DROP TRIGGER audit_chain_append_only ON mem.audit_chain;
CREATE TRIGGER audit_events_append_only BEFORE UPDATE ON mem.audit_events
  FOR EACH ROW EXECUTE FUNCTION mem.refuse_change();
CREATE TRIGGER audit_events_kept BEFORE DELETE ON mem.audit_events
  FOR EACH ROW EXECUTE FUNCTION mem.keep_unarchived('event');
CREATE TRIGGER audit_chain_append_only BEFORE UPDATE ON mem.audit_chain
  FOR EACH ROW EXECUTE FUNCTION mem.refuse_change();
CREATE TRIGGER audit_chain_kept BEFORE DELETE ON mem.audit_chain
  FOR EACH ROW EXECUTE FUNCTION mem.keep_unarchived('place');
