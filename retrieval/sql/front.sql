-- name: subjects_known
-- What is known of subjects: by subject, placement and topic how many memories, when the last of them changed, and which, newest first, of
-- those at the front. Index: memory_index_about_idx.
SELECT s.id AS subject_id, i.placement, i.topic, count(*) AS memories, max(i.recorded_from) AS changed_at,
       (array_agg(i.memory_id ORDER BY i.memory_id DESC) FILTER (WHERE i.placement = 'front'))[1:CAST(:front_max AS integer)] AS front
  FROM mem.memory_index i
  JOIN unnest(CAST(:subject_ids AS uuid[])) AS s (id) ON s.id = ANY (i.about)
 WHERE i.org_id = :org_id
     AND i.brain_id = ANY (CAST(:brain_ids AS uuid[]))
     AND i.about && CAST(:subject_ids AS uuid[])
     AND {servable}
 GROUP BY s.id, i.placement, i.topic
 ORDER BY s.id, count(*) DESC, i.topic
