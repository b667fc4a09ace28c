-- Which memories wait for a reviewer: see schema.sql.
CREATE FUNCTION mem.list_held(after uuid, most integer) RETURNS TABLE (memory_id uuid, brain_id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
  AS $$
    SELECT h.memory_id, h.brain_id
      FROM mem.holds h
      JOIN mem.hold_actions a ON a.org_id = h.org_id AND a.id = h.action_id
     WHERE h.org_id = mem.current_org() AND a.kind <> 'unattributed' AND (after IS NULL OR h.memory_id > after)
     GROUP BY h.memory_id, h.brain_id
     ORDER BY h.memory_id
     LIMIT most
  $$;
REVOKE EXECUTE ON FUNCTION mem.list_held(uuid, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION mem.list_held(uuid, integer) TO memdb_app;
