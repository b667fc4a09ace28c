-- Quarantine: actions with a state, what they have selected, and sessions that are held; see schema.sql.
ALTER TABLE mem.hold_actions
  ADD COLUMN created_key text,
  ADD COLUMN state text NOT NULL DEFAULT 'done',
  ADD COLUMN reason text,
  ADD COLUMN selection jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN memories integer NOT NULL DEFAULT 1,
  ADD COLUMN sessions integer NOT NULL DEFAULT 0,
  ADD COLUMN done integer NOT NULL DEFAULT 1,
  ADD COLUMN changed_at timestamptz,
  ADD COLUMN released_at timestamptz,
  ADD COLUMN released_by uuid,
  ADD COLUMN released_key text,
  ADD CONSTRAINT hold_actions_state_ck CHECK (state IN ('running', 'done', 'releasing', 'released'));

CREATE TABLE mem.hold_targets (
  org_id uuid NOT NULL,
  action_id uuid NOT NULL,
  brain_id uuid NOT NULL,
  memory_id uuid NOT NULL,
  CONSTRAINT hold_targets_pk PRIMARY KEY (org_id, action_id, brain_id, memory_id)
);

CREATE TABLE mem.session_holds (
  org_id uuid NOT NULL,
  session_id uuid NOT NULL,
  action_id uuid NOT NULL,
  brain_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT session_holds_pk PRIMARY KEY (org_id, session_id, action_id)
);

ALTER TABLE mem.hold_targets ADD CONSTRAINT hold_targets_action_fk
  FOREIGN KEY (org_id, action_id) REFERENCES mem.hold_actions (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.session_holds ADD CONSTRAINT session_holds_session_fk
  FOREIGN KEY (org_id, session_id) REFERENCES mem.sessions (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.session_holds ADD CONSTRAINT session_holds_action_fk
  FOREIGN KEY (org_id, action_id) REFERENCES mem.hold_actions (org_id, id) ON DELETE CASCADE;

ALTER TABLE mem.links DROP CONSTRAINT links_kind_ck;
ALTER TABLE mem.links ADD CONSTRAINT links_kind_ck CHECK (kind IN ('shares_entity', 'similar', 'derived_from'));

CREATE INDEX hold_actions_open_idx ON mem.hold_actions (org_id, id) WHERE state IN ('running', 'releasing');
CREATE INDEX hold_actions_quarantine_idx ON mem.hold_actions (org_id, id) WHERE kind = 'quarantine';
CREATE INDEX session_holds_action_idx ON mem.session_holds (org_id, action_id);
CREATE INDEX memories_writer_idx ON mem.memories (org_id, written_by, id);
CREATE INDEX memories_key_idx ON mem.memories (org_id, written_key, id);
CREATE INDEX episodes_source_idx ON mem.episodes (org_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX audit_events_copy_idx ON mem.audit_events (org_id, (detail ->> 'as')) WHERE action = 'memory.share';

GRANT UPDATE ON mem.hold_actions TO memdb_app;
SELECT mem.guard_org('hold_targets', 'SELECT, INSERT, DELETE');
SELECT mem.guard_content('session_holds');

GRANT SELECT (org_id, id, brain_id, kind, status, written_by, written_key, created_at) ON mem.memories TO memdb_search;
GRANT SELECT (org_id, id, brain_id, external_id) ON mem.episodes TO memdb_search;
GRANT SELECT ON mem.holds, mem.session_holds, mem.snapshots, mem.derivations TO memdb_search;
CREATE POLICY search_all ON mem.memories FOR SELECT TO memdb_search USING (true);
CREATE POLICY search_all ON mem.episodes FOR SELECT TO memdb_search USING (true);
CREATE POLICY search_all ON mem.holds FOR SELECT TO memdb_search USING (true);
CREATE POLICY search_all ON mem.session_holds FOR SELECT TO memdb_search USING (true);
CREATE POLICY search_all ON mem.snapshots FOR SELECT TO memdb_search USING (true);
CREATE POLICY search_all ON mem.derivations FOR SELECT TO memdb_search USING (true);

-- Memories that somebody has to look at, though they are served: why (harmful: a vote; flagged: policy let a doubtful write pass), with its
-- codes, and how often. A reviewer closes it. No text.
CREATE TABLE mem.review_requests (
  org_id uuid NOT NULL,
  memory_id uuid NOT NULL,
  cause text NOT NULL,
  brain_id uuid NOT NULL,
  reasons text[] NOT NULL,
  times integer NOT NULL,
  opened_at timestamptz NOT NULL,
  changed_at timestamptz NOT NULL,
  CONSTRAINT review_requests_pk PRIMARY KEY (org_id, memory_id, cause),
  CONSTRAINT review_requests_cause_ck CHECK (cause IN ('harmful', 'flagged')),
  CONSTRAINT review_requests_times_ck CHECK (times > 0)
);

ALTER TABLE mem.review_requests ADD CONSTRAINT review_requests_memory_fk
  FOREIGN KEY (org_id, memory_id) REFERENCES mem.memories (org_id, id) ON DELETE CASCADE;

-- Whoever reads a memory may ask for a review of it; who may delete it, or a job, closes one.
ALTER TABLE mem.review_requests ENABLE ROW LEVEL SECURITY;
CREATE POLICY app_read ON mem.review_requests FOR SELECT TO memdb_app USING (org_id = mem.current_org() AND mem.can_read(brain_id));
CREATE POLICY app_insert ON mem.review_requests FOR INSERT TO memdb_app
  WITH CHECK (org_id = mem.current_org() AND mem.is_member(brain_id));
CREATE POLICY app_update ON mem.review_requests FOR UPDATE TO memdb_app
  USING (org_id = mem.current_org() AND mem.is_member(brain_id)) WITH CHECK (org_id = mem.current_org() AND mem.is_member(brain_id));
CREATE POLICY app_delete ON mem.review_requests FOR DELETE TO memdb_app USING (org_id = mem.current_org() AND mem.can_write(brain_id));
GRANT SELECT, INSERT, UPDATE, DELETE ON mem.review_requests TO memdb_app;

GRANT SELECT ON mem.review_requests TO memdb_search;
CREATE POLICY search_all ON mem.review_requests FOR SELECT TO memdb_search USING (true);

DROP FUNCTION mem.list_held(uuid, integer);
