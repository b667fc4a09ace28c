-- name: list_due_sessions
-- Sessions of an org whose open turns are to be cut, those that are held left out; run as memdb_search, because a job without a brain sees none
-- as memdb_app. Indexes: sessions_due_idx, session_holds_pk.
SELECT s.id, s.brain_id
  FROM mem.sessions s
 WHERE s.org_id = :org_id AND s.due_at <= :now
   AND NOT EXISTS (SELECT FROM mem.session_holds h WHERE h.org_id = :org_id AND h.session_id = s.id)
 ORDER BY s.due_at
 LIMIT :limit

-- name: sum_open_turns
-- Turns of every org that are in no snapshot yet, and since when the one that waits longest does; figures of the whole server, as memdb_search.
-- Index: sessions_due_idx, which has only sessions with open turns.
SELECT coalesce(sum(s.next_position - s.open_from), 0) AS turns, min(s.open_since) AS since FROM mem.sessions s WHERE s.due_at IS NOT NULL

-- name: find_recording
-- What has to be known before turns are redacted: the brain of a session, and the subjects that are named with their kinds. One row, or none.
-- Indexes: sessions_pk, subjects_pk.
SELECT s.brain_id,
       (SELECT array_agg(u.id ORDER BY u.id) FROM mem.subjects u
         WHERE u.org_id = :org_id AND u.id = ANY (CAST(:named AS uuid[]))) AS known,
       (SELECT array_agg(u.kind ORDER BY u.id) FROM mem.subjects u
         WHERE u.org_id = :org_id AND u.id = ANY (CAST(:named AS uuid[]))) AS kinds
  FROM mem.sessions s
 WHERE s.org_id = :org_id AND s.id = :session_id

-- name: append_turns
-- Stores the turns that are not there yet behind the last one of their session, which this transaction has locked, unless it is closed, and
-- answers for all of them, in the order given: id, position (NULL: not stored), whether it was there, and the digest of what was said then;
-- nothing without the session. Indexes: sessions_pk, turns_client_idx.
WITH session AS MATERIALIZED (
  SELECT s.next_position, s.closed_at IS NOT NULL AS closed FROM mem.sessions s WHERE s.org_id = :org_id AND s.id = :session_id
), given AS MATERIALIZED (
  SELECT g.place, g.id, decode(g.client_hash, 'hex') AS client_hash, decode(g.body_hash, 'hex') AS body_hash, g.role, g.speaker_id,
         g.speaker, g.text, g.redactions, g.attachments, g.said_at, g.utc_offset, g.reply_to, decode(g.reply_hash, 'hex') AS reply_hash,
         g.trust, g.source_kind
    FROM jsonb_to_recordset(CAST(:turns AS jsonb)) AS g (
      place integer, id uuid, client_hash text, body_hash text, role text, speaker_id uuid, speaker text, text text, redactions jsonb,
      attachments jsonb, said_at timestamptz, utc_offset integer, reply_to uuid, reply_hash text, trust text, source_kind text
    )
), known AS MATERIALIZED (
  SELECT t.client_hash, t.id, t.position, t.body_hash
    FROM mem.turns t
   WHERE t.org_id = :org_id AND t.session_id = :session_id AND t.client_hash = ANY (CAST(:hashes AS bytea[]))
), placed AS MATERIALIZED (
  SELECT g.place, g.id, e.next_position + CAST(row_number() OVER (ORDER BY g.place) AS integer) - 1 AS position
    FROM given g CROSS JOIN session e
   WHERE NOT e.closed AND NOT EXISTS (SELECT 1 FROM known k WHERE k.client_hash = g.client_hash)
), stored AS (
  INSERT INTO mem.turns (org_id, id, brain_id, session_id, position, role, speaker_id, speaker, text, redactions, attachments, said_at,
                         utc_offset, reply_to, client_hash, body_hash, trust, source_kind, written_by, written_key, writer_label, created_at)
  SELECT CAST(:org_id AS uuid), g.id, CAST(:brain_id AS uuid), CAST(:session_id AS uuid), p.position, g.role, g.speaker_id, g.speaker, g.text,
         g.redactions, g.attachments, g.said_at, g.utc_offset,
         coalesce(g.reply_to, (SELECT k.id FROM known k WHERE k.client_hash = g.reply_hash),
                  (SELECT o.id FROM given o WHERE o.client_hash = g.reply_hash)),
         g.client_hash, g.body_hash, g.trust, g.source_kind, CAST(:written_by AS uuid), CAST(:written_key AS text),
         CAST(:writer_label AS text), CAST(:now AS timestamptz)
    FROM placed p JOIN given g ON g.place = p.place
  RETURNING id
), moved AS (
  UPDATE mem.sessions s
     SET next_position = s.next_position + n.added,
         last_turn_at = CAST(:now AS timestamptz),
         open_since = CASE WHEN s.open_from = s.next_position THEN CAST(:now AS timestamptz) ELSE s.open_since END,
         due_at = CASE WHEN s.next_position + n.added - s.open_from >= s.max_messages THEN CAST(:now AS timestamptz)
                       ELSE CAST(:now AS timestamptz) + make_interval(secs => s.idle_seconds) END
    FROM (SELECT CAST(count(*) AS integer) AS added FROM stored) n
   WHERE s.org_id = :org_id AND s.id = :session_id AND n.added > 0
)
SELECT g.place, coalesce(k.id, p.id) AS id, coalesce(k.position, p.position) AS position, k.id IS NOT NULL AS replayed, k.body_hash
  FROM given g CROSS JOIN session e
  LEFT JOIN placed p ON p.place = g.place
  LEFT JOIN known k ON k.client_hash = g.client_hash
 ORDER BY g.place

-- name: lock_session
-- A session, locked until the transaction ends, so that its turns are appended one request after another. Index: sessions_pk.
SELECT s.id FROM mem.sessions s WHERE s.org_id = :org_id AND s.id = :session_id FOR UPDATE

-- name: list_open_sizes
-- Bytes of the turns of a session from a position on, in order. Index: turns_session_idx.
SELECT t.position, octet_length(t.text) AS bytes
  FROM mem.turns t
 WHERE t.org_id = :org_id AND t.session_id = :session_id AND t.position >= :from_position AND t.position < :to_position
 ORDER BY t.position
