-- Sessions, their turns and snapshots, what extraction makes of them, from which turn a fragment is, and the newest memories of a topic in the
-- order of an index: see schema.sql.
ALTER TABLE mem.fragments ADD COLUMN turn_id uuid;
DROP INDEX mem.memory_index_brain_idx;
CREATE INDEX memory_index_brain_idx ON mem.memory_index (org_id, brain_id, topic COLLATE "C", recorded_from DESC, memory_id);

CREATE TABLE mem.sessions (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  brain_id uuid NOT NULL,
  platform text,
  external_hash bytea,
  title text,
  max_messages integer NOT NULL,
  idle_seconds integer NOT NULL,
  overlap integer NOT NULL,
  next_position integer NOT NULL,
  open_from integer NOT NULL,
  last_turn_at timestamptz,
  due_at timestamptz,
  created_at timestamptz NOT NULL,
  created_by uuid NOT NULL,
  created_key text NOT NULL,
  closed_at timestamptz,
  CONSTRAINT sessions_pk PRIMARY KEY (org_id, id),
  CONSTRAINT sessions_external_uq UNIQUE (org_id, brain_id, external_hash),
  CONSTRAINT sessions_cut_ck CHECK (max_messages BETWEEN 1 AND 500 AND idle_seconds BETWEEN 1 AND 604800 AND overlap BETWEEN 0 AND 50),
  CONSTRAINT sessions_open_ck CHECK (open_from BETWEEN 0 AND next_position)
) WITH (fillfactor = 70);

CREATE TABLE mem.turns (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  brain_id uuid NOT NULL,
  session_id uuid NOT NULL,
  position integer NOT NULL,
  role text NOT NULL,
  speaker_id uuid,
  speaker text,
  text text NOT NULL,
  redactions jsonb NOT NULL,
  attachments jsonb NOT NULL,
  said_at timestamptz,
  utc_offset integer,
  reply_to uuid,
  client_hash bytea,
  body_hash bytea,
  trust text NOT NULL,
  source_kind text,
  written_by uuid NOT NULL,
  written_key text NOT NULL,
  writer_label text NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT turns_pk PRIMARY KEY (org_id, id),
  CONSTRAINT turns_role_ck CHECK (role IN ('user', 'assistant', 'tool', 'system')),
  CONSTRAINT turns_position_ck CHECK (position >= 0),
  CONSTRAINT turns_client_ck CHECK ((client_hash IS NULL) = (body_hash IS NULL))
) PARTITION BY RANGE (id);

CREATE TABLE mem.snapshots (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  brain_id uuid NOT NULL,
  session_id uuid NOT NULL,
  first_position integer NOT NULL,
  last_position integer NOT NULL,
  overlap_from integer NOT NULL,
  cause text NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT snapshots_pk PRIMARY KEY (org_id, id),
  CONSTRAINT snapshots_first_uq UNIQUE (org_id, session_id, first_position),
  CONSTRAINT snapshots_cause_ck CHECK (cause IN ('size', 'idle', 'flush', 'close')),
  CONSTRAINT snapshots_run_ck CHECK (overlap_from BETWEEN 0 AND first_position AND first_position <= last_position)
);

CREATE TABLE mem.extractions (
  org_id uuid NOT NULL,
  snapshot_id uuid NOT NULL,
  handler text NOT NULL,
  brain_id uuid NOT NULL,
  session_id uuid NOT NULL,
  state text NOT NULL,
  run integer NOT NULL,
  attempts integer NOT NULL,
  failure text,
  extractor text,
  found integer NOT NULL,
  added integer NOT NULL,
  updated integer NOT NULL,
  reinforced integer NOT NULL,
  refused integer NOT NULL,
  tokens_in bigint NOT NULL,
  tokens_out bigint NOT NULL,
  cost_micros bigint NOT NULL,
  created_at timestamptz NOT NULL,
  changed_at timestamptz NOT NULL,
  CONSTRAINT extractions_pk PRIMARY KEY (org_id, snapshot_id, handler),
  CONSTRAINT extractions_handler_ck CHECK (handler IN ('semantic', 'episodic', 'procedural', 'taxonomic')),
  CONSTRAINT extractions_state_ck CHECK (state IN ('waiting', 'done', 'dead'))
) WITH (fillfactor = 70);

CREATE TABLE mem.derivations (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  brain_id uuid NOT NULL,
  memory_id uuid NOT NULL,
  version integer NOT NULL,
  snapshot_id uuid NOT NULL,
  handler text NOT NULL,
  run integer NOT NULL,
  action text NOT NULL,
  reason text NOT NULL,
  turn_ids uuid[] NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT derivations_pk PRIMARY KEY (org_id, id),
  CONSTRAINT derivations_action_ck CHECK (action IN ('ADD', 'UPDATE', 'REINFORCE', 'END'))
);

ALTER TABLE mem.sessions ADD CONSTRAINT sessions_brain_fk FOREIGN KEY (org_id, brain_id) REFERENCES mem.brains (org_id, id);
ALTER TABLE mem.turns ADD CONSTRAINT turns_session_fk
  FOREIGN KEY (org_id, session_id) REFERENCES mem.sessions (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.snapshots ADD CONSTRAINT snapshots_session_fk
  FOREIGN KEY (org_id, session_id) REFERENCES mem.sessions (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.extractions ADD CONSTRAINT extractions_snapshot_fk
  FOREIGN KEY (org_id, snapshot_id) REFERENCES mem.snapshots (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.derivations ADD CONSTRAINT derivations_memory_fk
  FOREIGN KEY (org_id, memory_id) REFERENCES mem.memories (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.derivations ADD CONSTRAINT derivations_snapshot_fk
  FOREIGN KEY (org_id, snapshot_id) REFERENCES mem.snapshots (org_id, id) ON DELETE CASCADE;

CREATE INDEX sessions_brain_idx ON mem.sessions (org_id, brain_id, id);
CREATE INDEX sessions_due_idx ON mem.sessions (org_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX turns_session_idx ON mem.turns (org_id, session_id, position);
CREATE INDEX turns_client_idx ON mem.turns (org_id, session_id, client_hash) WHERE client_hash IS NOT NULL;
CREATE INDEX extractions_unfinished_idx ON mem.extractions (org_id, state, changed_at) WHERE state <> 'done';
CREATE INDEX derivations_memory_idx ON mem.derivations (org_id, memory_id, id);
CREATE INDEX derivations_snapshot_idx ON mem.derivations (org_id, snapshot_id, handler);
CREATE INDEX fragments_turn_idx ON mem.fragments (org_id, turn_id) WHERE turn_id IS NOT NULL;

SELECT mem.guard_content('sessions');
SELECT mem.guard_content('turns');
SELECT mem.guard_content('snapshots');
SELECT mem.guard_content('extractions');
SELECT mem.guard_content('derivations');
GRANT SELECT (org_id, brain_id, id, due_at) ON mem.sessions TO memdb_search;
GRANT SELECT ON mem.extractions TO memdb_search;
CREATE POLICY search_all ON mem.sessions FOR SELECT TO memdb_search USING (true);
CREATE POLICY search_all ON mem.extractions FOR SELECT TO memdb_search USING (true);
