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
