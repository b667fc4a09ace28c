-- name: subjects_known
-- What is known of subjects: by subject, placement and topic how many memories, when the last of them changed, and which those at the front
-- are. A subject is asked for by all the identities that it was merged from at once, so what is about several of them counts once.
-- Index: memory_index_about_idx.
SELECT s.id AS subject_id, k.placement, k.topic, k.memories, k.changed_at, k.front
  FROM (
    SELECT p.id, array_agg(p.member_id) AS members
      FROM unnest(CAST(:subject_ids AS uuid[]), CAST(:member_ids AS uuid[])) AS p (id, member_id)
     GROUP BY p.id
  ) s
 CROSS JOIN LATERAL (
   SELECT i.placement, i.topic, count(*) AS memories, max(i.recorded_from) AS changed_at,
          array_agg(i.memory_id) FILTER (WHERE i.placement = 'front') AS front
     FROM mem.memory_index i
    WHERE i.org_id = :org_id
         AND i.brain_id = ANY (CAST(:brain_ids AS uuid[]))
         AND i.about && s.members
         AND {servable}
    GROUP BY i.placement, i.topic
 ) k
 ORDER BY s.id, k.memories DESC, k.topic

-- name: subject_memories
-- The memories of a subject at one placement or any, newest first. Index: memory_index_about_idx.
SELECT i.memory_id
  FROM mem.memory_index i
 WHERE i.org_id = :org_id
     AND i.brain_id = ANY (CAST(:brain_ids AS uuid[]))
     AND i.about && CAST(:member_ids AS uuid[])
     AND (CAST(:placement AS text) IS NULL OR i.placement = CAST(:placement AS text))
     AND {servable}
 ORDER BY i.memory_id DESC
 LIMIT :limit
