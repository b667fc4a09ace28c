-- name: feedback
-- What was said about memories in scope in answer to questions like this one: of what each key said last in each brain an even share, so that
-- nobody who says much pushes out what others said; of those whose question is near enough. Indexes: outcomes_brain_idx, which also steps
-- from key to key, feedback_queries_pk, memory_index_pk. Vectors of another space may have another length, and comparing them would be an
-- error, hence CASE: Postgres promises no other order of conditions. MATERIALIZED and OFFSET keep the order of the joins: without statistics, as in
-- a new database, the shares were read anew for each memory.
WITH RECURSIVE voters (brain_id, key_id) AS (
  SELECT b.brain_id, f.key_id
    FROM unnest(CAST(:brain_ids AS uuid[])) AS b (brain_id)
   CROSS JOIN LATERAL (
     SELECT f.key_id FROM mem.outcomes f WHERE f.org_id = :org_id AND f.brain_id = b.brain_id ORDER BY f.key_id LIMIT 1
   ) f
   UNION ALL
  SELECT v.brain_id, n.key_id
    FROM voters v
   CROSS JOIN LATERAL (
     SELECT n.key_id FROM mem.outcomes n
      WHERE n.org_id = :org_id AND n.brain_id = v.brain_id AND n.key_id > v.key_id ORDER BY n.key_id LIMIT 1
   ) n
), keys AS (
  SELECT v.brain_id, v.key_id FROM voters v LIMIT :votes
), recent AS MATERIALIZED (
  SELECT o.recall_id, o.memory_id, o.key_id, o.subject_id, o.outcome, o.created_at
    FROM keys k
   CROSS JOIN LATERAL (
     SELECT o.recall_id, o.memory_id, o.key_id, o.subject_id, o.outcome, o.created_at
       FROM mem.outcomes o
      WHERE o.org_id = :org_id AND o.brain_id = k.brain_id AND o.key_id = k.key_id
      ORDER BY o.created_at DESC, o.recall_id, o.memory_id
      LIMIT (SELECT CAST(:votes AS integer) / greatest(count(*), 1) FROM keys)
   ) o
)
SELECT r.memory_id, i.kind, r.key_id, r.subject_id, r.outcome, r.created_at,
       1 - CASE WHEN q.space = :space THEN q.embedding <=> CAST(:query AS halfvec) END AS similarity
  FROM recent r
 CROSS JOIN LATERAL (
     SELECT q.space, q.embedding FROM mem.feedback_queries q WHERE q.org_id = :org_id AND q.id = r.recall_id OFFSET 0
   ) q
 CROSS JOIN LATERAL (
     SELECT i.kind
       FROM mem.memory_index i
      WHERE i.memory_id = r.memory_id
        AND i.org_id = :org_id
        AND i.brain_id = ANY (CAST(:brain_ids AS uuid[]))
        AND {servable}
     OFFSET 0
   ) i
 WHERE (CASE WHEN q.space = :space THEN q.embedding <=> CAST(:query AS halfvec) END) <= :distance_max
