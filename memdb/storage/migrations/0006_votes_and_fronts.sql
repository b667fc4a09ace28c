-- Every key has its share of what the feedback branch reads, and questions go with their last outcome; the front of subjects is found by the
-- index: see schema.sql.
DROP INDEX mem.outcomes_brain_idx;
CREATE INDEX outcomes_brain_idx ON mem.outcomes (org_id, brain_id, key_id, created_at);

-- Deletes the questions of these recalls that nothing refers to any more, whoever asked them. Called in the transaction that deletes outcomes.
CREATE FUNCTION mem.forget_questions(org uuid, recalls uuid[]) RETURNS integer
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
  AS $$
DECLARE
  gone integer;
BEGIN
  IF org IS DISTINCT FROM mem.current_org() THEN
    RAISE EXCEPTION 'forget_questions: not the current org' USING ERRCODE = 'insufficient_privilege';
  END IF;
  -- INVARIANT: locked first, so that the next statement sees the outcome of whoever gave one and had the question locked, and so that of two
  -- who delete the last two outcomes the second finds none. Whoever gives an outcome takes the outcome and then the question, as here.
  PERFORM 1 FROM mem.feedback_queries q WHERE q.org_id = org AND q.id = ANY (recalls) ORDER BY q.id FOR UPDATE;
  DELETE FROM mem.feedback_queries q WHERE q.org_id = org AND q.id = ANY (recalls)
    AND NOT EXISTS (SELECT 1 FROM mem.outcomes o WHERE o.org_id = org AND o.recall_id = q.id);
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END
$$;

REVOKE EXECUTE ON FUNCTION mem.forget_questions(uuid, uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION mem.forget_questions(uuid, uuid[]) TO memdb_app;

DELETE FROM mem.feedback_queries q
 WHERE NOT EXISTS (SELECT 1 FROM mem.outcomes o WHERE o.org_id = q.org_id AND o.recall_id = q.id);

ALTER TABLE mem.memory_index ADD COLUMN placement text;
UPDATE mem.memory_index i SET placement = coalesce((SELECT m.placement FROM mem.memories m WHERE m.org_id = i.org_id AND m.id = i.memory_id), 'drawer');
ALTER TABLE mem.memory_index ALTER COLUMN placement SET NOT NULL;
