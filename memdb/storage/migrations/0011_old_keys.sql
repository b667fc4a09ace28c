-- Memories whose duplicate key an earlier release made are found by upkeep, which renews it: see schema.sql.
CREATE INDEX memories_old_key_idx ON mem.memories (org_id, brain_id, id) WHERE octet_length(duplicate_key) = 32;
CREATE FUNCTION mem.list_old_keys(most integer) RETURNS TABLE (brain_id uuid, memory_id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
  AS $$
    SELECT m.brain_id, m.id
      FROM mem.memories m
     WHERE m.org_id = mem.current_org() AND octet_length(m.duplicate_key) = 32
     ORDER BY m.brain_id, m.id
     LIMIT most
  $$;
REVOKE EXECUTE ON FUNCTION mem.list_old_keys(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION mem.list_old_keys(integer) TO memdb_app;
