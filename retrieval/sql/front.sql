-- name: subjects_known
-- What is known of subjects: by subject, placement and topic how many memories, when the last of them changed, and which, newest first, of
-- those at the front. A subject is asked for by each of the identities that it was merged from; what is about several of them counts once.
-- Index: memory_index_about_idx.
SELECT k.subject_id, k.placement, k.topic, count(*) AS memories, max(k.recorded_from) AS changed_at,
       (array_agg(k.memory_id ORDER BY k.memory_id DESC) FILTER (WHERE k.placement = 'front'))[1:CAST(:front_max AS integer)] AS front
  FROM (
    SELECT DISTINCT s.id AS subject_id, i.memory_id, i.placement, i.topic, i.recorded_from
      FROM mem.memory_index i
      JOIN unnest(CAST(:subject_ids AS uuid[]), CAST(:member_ids AS uuid[])) AS s (id, member_id) ON s.member_id = ANY (i.about)
     WHERE i.org_id = :org_id
         AND i.brain_id = ANY (CAST(:brain_ids AS uuid[]))
         AND i.about && CAST(:member_ids AS uuid[])
         AND {servable}
  ) k
 GROUP BY k.subject_id, k.placement, k.topic
 ORDER BY k.subject_id, count(*) DESC, k.topic

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
