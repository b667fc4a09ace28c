-- Feedback: see schema.sql.
ALTER TABLE mem.memory_stats
  ADD COLUMN used integer NOT NULL DEFAULT 0,
  ADD COLUMN helpful integer NOT NULL DEFAULT 0,
  ADD COLUMN not_helpful integer NOT NULL DEFAULT 0,
  ADD COLUMN stale integer NOT NULL DEFAULT 0,
  ADD COLUMN wrong integer NOT NULL DEFAULT 0,
  ADD COLUMN harmful integer NOT NULL DEFAULT 0;

CREATE TABLE mem.outcomes (
  org_id uuid NOT NULL,
  recall_id uuid NOT NULL,
  memory_id uuid NOT NULL,
  key_id text NOT NULL,
  subject_id uuid NOT NULL,
  brain_id uuid NOT NULL,
  outcome text NOT NULL,
  note text,
  created_at timestamptz NOT NULL,
  counted_as text,
  CONSTRAINT outcomes_pk PRIMARY KEY (org_id, recall_id, memory_id, key_id),
  CONSTRAINT outcomes_outcome_ck CHECK (outcome IN ('used', 'helpful', 'not_helpful', 'stale', 'wrong', 'harmful'))
);

CREATE TABLE mem.feedback_queries (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  subject_id uuid NOT NULL,
  key_id text NOT NULL,
  query text NOT NULL,
  space text NOT NULL,
  embedding halfvec,
  created_at timestamptz NOT NULL,
  CONSTRAINT feedback_queries_pk PRIMARY KEY (org_id, id),
  CONSTRAINT feedback_queries_unit_ck CHECK (l2_norm(embedding) BETWEEN 0.98 AND 1.02)
);

ALTER TABLE mem.outcomes ADD CONSTRAINT outcomes_memory_fk
  FOREIGN KEY (org_id, memory_id) REFERENCES mem.memories (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.feedback_queries ADD CONSTRAINT feedback_queries_org_fk FOREIGN KEY (org_id) REFERENCES mem.orgs (id);

CREATE INDEX outcomes_brain_idx ON mem.outcomes (org_id, brain_id, created_at);
CREATE INDEX outcomes_memory_idx ON mem.outcomes (org_id, memory_id);
CREATE INDEX outcomes_uncounted_idx ON mem.outcomes (org_id, brain_id) WHERE outcome IS DISTINCT FROM counted_as;

ALTER TABLE mem.outcomes ENABLE ROW LEVEL SECURITY;
CREATE POLICY app_read ON mem.outcomes FOR SELECT TO memdb_app USING (org_id = mem.current_org() AND mem.can_read(brain_id));
CREATE POLICY app_insert ON mem.outcomes FOR INSERT TO memdb_app
  WITH CHECK (org_id = mem.current_org() AND subject_id = mem.current_subject() AND mem.can_read(brain_id));
CREATE POLICY app_update ON mem.outcomes FOR UPDATE TO memdb_app
  USING (org_id = mem.current_org() AND (mem.current_subject() IS NULL OR subject_id = mem.current_subject()) AND mem.can_read(brain_id))
  WITH CHECK (org_id = mem.current_org() AND (mem.current_subject() IS NULL OR subject_id = mem.current_subject()) AND mem.can_read(brain_id));
CREATE POLICY app_delete ON mem.outcomes FOR DELETE TO memdb_app USING (org_id = mem.current_org() AND mem.can_write(brain_id));
GRANT SELECT, INSERT, UPDATE, DELETE ON mem.outcomes TO memdb_app;

ALTER TABLE mem.feedback_queries ENABLE ROW LEVEL SECURITY;
CREATE POLICY app_own ON mem.feedback_queries TO memdb_app
  USING (org_id = mem.current_org() AND subject_id = mem.current_subject())
  WITH CHECK (org_id = mem.current_org() AND subject_id = mem.current_subject());
GRANT SELECT, INSERT, UPDATE ON mem.feedback_queries TO memdb_app;

GRANT SELECT (org_id, recall_id, memory_id, key_id, subject_id, brain_id, outcome, created_at, counted_as) ON mem.outcomes TO memdb_search;
GRANT SELECT (org_id, id, space, embedding) ON mem.feedback_queries TO memdb_search;
CREATE POLICY search_all ON mem.outcomes FOR SELECT TO memdb_search USING (true);
CREATE POLICY search_all ON mem.feedback_queries FOR SELECT TO memdb_search USING (true);
