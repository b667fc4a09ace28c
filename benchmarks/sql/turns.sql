-- name: insert_turn
-- What somebody would write to keep a turn: no position that follows on, no look for a repetition, no session that moves.
INSERT INTO mem.turns (org_id, id, brain_id, session_id, position, role, speaker_id, speaker, text, redactions, attachments, said_at,
                       utc_offset, reply_to, client_hash, body_hash, trust, source_kind, written_by, written_key, writer_label, created_at)
VALUES (:org_id, :id, :brain_id, :session_id, :position, :role, :speaker_id, :speaker, :text, CAST(:redactions AS jsonb),
        CAST(:attachments AS jsonb), :said_at, :utc_offset, :reply_to, :client_hash, :body_hash, :trust, :source_kind, :written_by,
        :written_key, :writer_label, :created_at)
RETURNING id

-- name: insert_turns
-- The same for many turns at once.
INSERT INTO mem.turns (org_id, id, brain_id, session_id, position, role, speaker_id, speaker, text, redactions, attachments, said_at,
                       utc_offset, reply_to, client_hash, body_hash, trust, source_kind, written_by, written_key, writer_label, created_at)
SELECT CAST(:org_id AS uuid), g.id, CAST(:brain_id AS uuid), CAST(:session_id AS uuid), g.position, g.role, g.speaker_id, g.speaker, g.text,
       g.redactions, g.attachments, g.said_at, g.utc_offset, g.reply_to, decode(g.client_hash, 'hex'), decode(g.body_hash, 'hex'), g.trust,
       g.source_kind, CAST(:written_by AS uuid), CAST(:written_key AS text), CAST(:writer_label AS text), CAST(:created_at AS timestamptz)
  FROM jsonb_to_recordset(CAST(:turns AS jsonb)) AS g (
    position integer, id uuid, client_hash text, body_hash text, role text, speaker_id uuid, speaker text, text text, redactions jsonb,
    attachments jsonb, said_at timestamptz, utc_offset integer, reply_to uuid, trust text, source_kind text
  )
RETURNING id

-- name: count_extractions
-- Extractions by state, of every org; as the owner.
SELECT e.state, count(*) FROM mem.extractions e GROUP BY e.state

-- name: list_stored_turns
-- Every turn and where it stands.
SELECT t.id, t.session_id, t.position FROM mem.turns t

-- name: count_statements
-- Memories of allergies that are served: how many say the same in a brain.
SELECT m.brain_id, m.content, count(*) FROM mem.memories m
 WHERE m.status = 'active' AND m.content LIKE '%% allergic to %%'
 GROUP BY m.brain_id, m.content

-- name: count_open_turns
-- Turns in no snapshot.
SELECT coalesce(sum(s.next_position - s.open_from), 0) FROM mem.sessions s
