-- name: feedback
-- What was said about memories in scope in answer to questions like this one: of the newest outcomes of the brains those whose question is
-- near enough. Indexes: outcomes_brain_idx, feedback_queries_pk, memory_index_pk. Vectors of another space may have another length, and
-- comparing them would be an error, hence CASE: Postgres promises no other order of conditions.
WITH recent AS (
  SELECT o.recall_id, o.memory_id, o.key_id, o.subject_id, o.outcome, o.created_at
    FROM mem.outcomes o
   WHERE o.org_id = :org_id
     AND o.brain_id = ANY (CAST(:brain_ids AS uuid[]))
   ORDER BY o.created_at DESC
   LIMIT :votes
)
SELECT r.memory_id, r.key_id, r.subject_id, r.outcome, r.created_at,
       1 - CASE WHEN q.space = :space THEN q.embedding <=> CAST(:query AS halfvec) END AS similarity
  FROM recent r
  JOIN mem.feedback_queries q ON q.id = r.recall_id
  JOIN mem.memory_index i ON i.memory_id = r.memory_id
 WHERE q.org_id = :org_id
     AND (CASE WHEN q.space = :space THEN q.embedding <=> CAST(:query AS halfvec) END) <= :distance_max
     AND i.org_id = :org_id
     AND i.brain_id = ANY (CAST(:brain_ids AS uuid[]))
     AND i.status = 'active'
     AND NOT i.held
     AND (i.expires_at IS NULL OR i.expires_at > :now)
     AND (i.valid_from IS NULL OR i.valid_from <= :valid_at)
     AND (i.valid_to IS NULL OR i.valid_to > :valid_at)
     AND (CAST(:kinds AS text[]) IS NULL OR i.kind = ANY (CAST(:kinds AS text[])))
     AND (CAST(:about AS uuid[]) IS NULL OR i.about && CAST(:about AS uuid[]))
     AND (CAST(:said_by AS uuid) IS NULL OR i.said_by = CAST(:said_by AS uuid))
     AND (CAST(:topic AS text) IS NULL OR i.topic = CAST(:topic AS text) OR starts_with(i.topic, CAST(:topic AS text) || '/'))
     AND (CAST(:tags AS text[]) IS NULL OR i.tags @> CAST(:tags AS text[]))
     AND (CAST(:facets AS text[]) IS NULL OR i.facets @> CAST(:facets AS text[]))
     AND (CAST(:created_from AS timestamptz) IS NULL OR i.created_at >= CAST(:created_from AS timestamptz))
     AND (CAST(:created_to AS timestamptz) IS NULL OR i.created_at < CAST(:created_to AS timestamptz))
