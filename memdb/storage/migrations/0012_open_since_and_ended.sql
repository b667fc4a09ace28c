-- Since when a session has open turns, what extractions have ended, and both for figures of the whole server: see schema.sql.
ALTER TABLE mem.sessions ADD COLUMN open_since timestamptz;
UPDATE mem.sessions s
   SET open_since = (SELECT t.created_at FROM mem.turns t WHERE t.org_id = s.org_id AND t.session_id = s.id AND t.position = s.open_from)
 WHERE s.due_at IS NOT NULL;
ALTER TABLE mem.extractions ADD COLUMN ended integer NOT NULL DEFAULT 0;
GRANT SELECT (next_position, open_from, open_since) ON mem.sessions TO memdb_search;
