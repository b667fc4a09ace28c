-- name: memories_by_id
-- Current rows within brains, with the actions that hold them whether a conflict of theirs is open, and how often each
-- outcome was given; deleted ones are absent. Indexes:
-- memories_pk, holds_pk, memory_stats_pk, conflicts_open_idx, conflicts_other_idx.
SELECT m.org_id, m.id, m.brain_id, m.kind, m.version, m.status, m.topic, m.content, m.data, m.tags, m.about, m.said_by,
       m.language, m.placement, m.importance, m.trust, m.source_kind, m.valid_from, m.valid_to, m.event_from, m.event_to,
       m.expires_at, m.redactions, m.text_cut, m.written_by, m.written_key, m.writer_label, m.created_at, m.updated_at,
       m.confirmed_at, m.mac_key_id, m.mac_version, m.mac_state,
       EXISTS (SELECT 1 FROM mem.conflicts c WHERE c.org_id = :org_id AND c.memory_id = m.id AND c.resolved_at IS NULL)
         OR EXISTS (SELECT 1 FROM mem.conflicts c WHERE c.org_id = :org_id AND c.other_id = m.id AND c.resolved_at IS NULL) AS contested,
       ARRAY(SELECT h.action_id FROM mem.holds h WHERE h.org_id = :org_id AND h.memory_id = m.id) AS holds,
       (SELECT jsonb_build_object('used', s.used, 'helpful', s.helpful, 'not_helpful', s.not_helpful, 'stale', s.stale, 'wrong', s.wrong,
                                  'harmful', s.harmful)
          FROM mem.memory_stats s
         WHERE s.org_id = :org_id AND s.memory_id = m.id
           AND s.used + s.helpful + s.not_helpful + s.stale + s.wrong + s.harmful > 0) AS outcomes
  FROM mem.memories m
 WHERE m.org_id = :org_id
   AND m.id = ANY (CAST(:ids AS uuid[]))
   AND m.brain_id = ANY (CAST(:brain_ids AS uuid[]))
   AND m.status <> 'deleted'

-- name: sources_of
-- Where versions of memories within brains come from, by memory, position and fragment: what said the text of that version.
-- Indexes: memory_fragments_pk, fragments_pk, episodes_pk.
SELECT s.memory_id, f.episode_id, e.external_id AS episode, f.id AS fragment_id, f.text AS fragment, f.speaker, f.speaker_id, f.position, f.said_at
  FROM mem.memory_fragments s
  JOIN unnest(CAST(:ids AS uuid[]), CAST(:versions AS integer[])) AS w (memory_id, version)
    ON w.memory_id = s.memory_id AND w.version >= s.from_version AND w.version <= coalesce(s.until_version, w.version)
  JOIN mem.fragments f ON f.org_id = s.org_id AND f.id = s.fragment_id
  JOIN mem.episodes e ON e.org_id = f.org_id AND e.id = f.episode_id
 WHERE s.org_id = :org_id
   AND f.org_id = :org_id
   AND e.org_id = :org_id
   AND s.memory_id = ANY (CAST(:ids AS uuid[]))
   AND s.brain_id = ANY (CAST(:brain_ids AS uuid[]))
   AND f.brain_id = ANY (CAST(:brain_ids AS uuid[]))
 ORDER BY s.memory_id, f.position, f.id

-- name: record_recall
-- One recall, which is the audit event of the read as well.
INSERT INTO mem.recalls (org_id, id, subject_id, key_id, acting_for, query, filters, purpose, memory_ids, scores, degraded, took_ms,
                         created_at, request_id, looks)
VALUES (:org_id, :id, :subject_id, :key_id, :acting_for, :query, CAST(:filters AS jsonb), :purpose, CAST(:memory_ids AS uuid[]),
        CAST(:scores AS real[]), CAST(:degraded AS text[]), :took_ms, :created_at, :request_id, CAST(:looks AS uuid[]))
