-- Retention: what jobs delete because its time is over; see schema.sql.
-- Deletes the oldest questions of the current org below an id, but for those that these subjects asked; at most so many, how many. A job may
-- not delete a recall by itself: each belongs to whoever asked. Called by upkeep once an hour. Index: recalls_pk.
CREATE FUNCTION mem.forget_recalls(before uuid, kept uuid[], most integer) RETURNS integer
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
  AS $$
DECLARE
  gone integer;
BEGIN
  DELETE FROM mem.recalls r WHERE r.org_id = mem.current_org() AND r.id IN (
    SELECT o.id FROM mem.recalls o
     WHERE o.org_id = mem.current_org() AND o.id < before AND o.subject_id <> ALL (kept)
     ORDER BY o.id LIMIT most);
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END
$$;

-- Memories of a kind of the current org that nobody has confirmed since a moment, no hold keeps and no legal hold covers; at most so many, by
-- brain and id. A job without a brain would see none of them. Called by upkeep once an hour, where the policy says so; reads all of the org.
CREATE FUNCTION mem.list_unconfirmed(of_kind text, before timestamptz, kept_brains uuid[], kept uuid[], most integer)
  RETURNS TABLE (brain_id uuid, memory_id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
  AS $$
    SELECT m.brain_id, m.id
      FROM mem.memories m
     WHERE m.org_id = mem.current_org() AND m.kind = of_kind AND m.status <> 'deleted' AND m.confirmed_at < before
       AND m.brain_id <> ALL (kept_brains) AND NOT m.about && kept
       AND (m.said_by IS NULL OR m.said_by <> ALL (kept)) AND m.written_by <> ALL (kept)
       AND NOT EXISTS (SELECT 1 FROM mem.holds h WHERE h.org_id = m.org_id AND h.memory_id = m.id)
     ORDER BY m.brain_id, m.id LIMIT most
  $$;

REVOKE EXECUTE ON FUNCTION mem.forget_recalls(uuid, uuid[], integer) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION mem.list_unconfirmed(text, timestamptz, uuid[], uuid[], integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION mem.forget_recalls(uuid, uuid[], integer) TO memdb_app;
GRANT EXECUTE ON FUNCTION mem.list_unconfirmed(text, timestamptz, uuid[], uuid[], integer) TO memdb_app;
