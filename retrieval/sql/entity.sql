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

-- name: entity_counts
-- How many memories of the brains in scope an entity stands in, counted no further than the limit. Index: memory_entities_pk.
SELECT w.id, count(*) AS memories
  FROM unnest(CAST(:entity_ids AS uuid[])) AS w (id)
 CROSS JOIN LATERAL (
   SELECT 1
     FROM mem.memory_entities m
    WHERE m.org_id = :org_id AND m.brain_id = ANY (CAST(:brain_ids AS uuid[])) AND m.entity_id = w.id
    LIMIT :counted_max
 ) x
 GROUP BY w.id

-- name: entity_memories
-- Which memories entities stand in: all those of the rare ones, and of the frequent ones those that another branch found. Index:
-- memory_entities_pk, memory_index_pk.
SELECT m.entity_id, m.memory_id
  FROM mem.memory_entities m
  JOIN mem.memory_index i ON i.memory_id = m.memory_id
 WHERE m.org_id = :org_id
     AND m.brain_id = ANY (CAST(:brain_ids AS uuid[]))
     AND (
       m.entity_id = ANY (CAST(:rare AS uuid[]))
       OR (m.entity_id = ANY (CAST(:frequent AS uuid[])) AND m.memory_id = ANY (CAST(:seeds AS uuid[])))
     )
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

-- name: entity_subjects
-- Memories about or said by subjects that the question names, newest first and bounded; one row for each subject. Indexes:
-- memory_index_about_idx, memory_index_said_by_idx.
SELECT i.memory_id, s.id AS subject_id
  FROM mem.memory_index i
  JOIN unnest(CAST(:subject_ids AS uuid[])) AS s (id) ON s.id = ANY (i.about) OR s.id = i.said_by
 WHERE i.org_id = :org_id
     AND i.brain_id = ANY (CAST(:brain_ids AS uuid[]))
     AND (i.about && CAST(:subject_ids AS uuid[]) OR i.said_by = ANY (CAST(:subject_ids AS uuid[])))
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
 ORDER BY i.memory_id DESC
 LIMIT :counted_max
