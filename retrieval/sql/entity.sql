-- name: entity_names
-- Entities of the brains in scope whose name is one of the question's, or begins with it and a space ("mike" and "mike chen"). Ranges are in
-- byte order, which is the order of the index whatever the collation of the database; of too many the whole name comes first, then the
-- shortest. Index: entities_prefix_idx.
SELECT g.place, e.id, e.kind, e.name, e.folded
  FROM unnest(CAST(:names AS text[]), CAST(:ends AS text[]), CAST(:places AS integer[])) AS g (name, after, place)
 CROSS JOIN LATERAL (
   SELECT e.id, e.kind, e.name, e.folded
     FROM mem.entities e
    WHERE e.org_id = :org_id
      AND e.brain_id = ANY (CAST(:brain_ids AS uuid[]))
      AND e.folded ~>=~ g.name
      AND e.folded ~<~ g.after
      AND (NOT :exact OR e.folded = g.name OR starts_with(e.folded, g.name || ' '))
    ORDER BY e.folded <> g.name, length(e.folded), e.folded, e.id
    LIMIT :names_max
 ) e

-- name: entity_memories
-- In how many memories of the brains in scope entities stand, held ones left out, counted no further than the limit, and in which: of a rare
-- one all, of a frequent one those that another branch found. The count stands in a row of its own. Indexes: memory_entities_pk,
-- memory_index_pk.
WITH counted AS MATERIALIZED (
  SELECT w.id,
         (SELECT count(*)
            FROM (
              SELECT 1
                FROM mem.memory_entities c
                JOIN mem.memory_index k ON k.memory_id = c.memory_id
               WHERE c.org_id = :org_id AND c.brain_id = ANY (CAST(:brain_ids AS uuid[])) AND c.entity_id = w.id
                 AND k.org_id = :org_id AND k.brain_id = ANY (CAST(:brain_ids AS uuid[])) AND NOT k.held
               LIMIT :counted_max
            ) x) AS memories
    FROM unnest(CAST(:entity_ids AS uuid[])) AS w (id)
), held AS (
  SELECT n.id, m.memory_id
    FROM counted n
    JOIN mem.memory_entities m ON m.entity_id = n.id
   WHERE n.memories <= :rare_max
     AND m.org_id = :org_id
     AND m.brain_id = ANY (CAST(:brain_ids AS uuid[]))
   UNION ALL
  SELECT n.id, m.memory_id
    FROM counted n
   CROSS JOIN unnest(CAST(:seeds AS uuid[])) AS s (id)
    JOIN mem.memory_entities m ON m.entity_id = n.id AND m.memory_id = s.id
   WHERE n.memories > :rare_max
     AND m.org_id = :org_id
     AND m.brain_id = ANY (CAST(:brain_ids AS uuid[]))
)
SELECT n.id AS entity_id, n.memories, CAST(NULL AS uuid[]) AS memory_ids, CAST(NULL AS text[]) AS kinds
  FROM counted n
 UNION ALL
SELECT h.id, 0, array_agg(i.memory_id ORDER BY i.memory_id), array_agg(i.kind ORDER BY i.memory_id)
  FROM held h
  JOIN mem.memory_index i ON i.memory_id = h.memory_id
 WHERE i.org_id = :org_id
     AND i.brain_id = ANY (CAST(:brain_ids AS uuid[]))
     AND {servable}
 GROUP BY h.id

-- name: entity_subjects
-- Memories about or said by subjects that the question names, newest first and bounded; one row for each subject. Indexes:
-- memory_index_about_idx, memory_index_said_by_idx.
SELECT i.memory_id, i.kind, s.id AS subject_id
  FROM mem.memory_index i
  JOIN unnest(CAST(:subject_ids AS uuid[])) AS s (id) ON s.id = ANY (i.about) OR s.id = i.said_by
 WHERE i.org_id = :org_id
     AND i.brain_id = ANY (CAST(:brain_ids AS uuid[]))
     AND (i.about && CAST(:subject_ids AS uuid[]) OR i.said_by = ANY (CAST(:subject_ids AS uuid[])))
     AND {servable}
 ORDER BY i.memory_id DESC
 LIMIT :counted_max
