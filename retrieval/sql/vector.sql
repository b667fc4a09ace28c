-- name: scope_size
-- How many vectors the brains in scope hold, counted no further than the limit. Index: memory_vectors_<space>_brain_idx.
SELECT count(*) AS vectors
  FROM (
    SELECT 1 FROM mem.{vectors} e
     WHERE e.org_id = :org_id AND e.brain_id = ANY (CAST(:brain_ids AS uuid[]))
     LIMIT :limit
  ) x

-- name: vector_exact
-- The vectors of a small scope, or those of some memories of a large one, compared one by one: of the text and, where there is one, of the
-- context; what other branches found comes first. Indexes: memory_vectors_<space>_brain_idx, memory_vectors_<space>_pk. The rows are made first, so that the planner cannot turn to
-- the HNSW index, which would return too few of them. Of a memory without a context vector the text counts alone.
WITH scoped AS MATERIALIZED (
  SELECT e.memory_id, e.field, 1 - (e.embedding <=> CAST(:query AS halfvec)) AS similarity
    FROM mem.{vectors} e
    JOIN mem.memory_index i ON i.org_id = e.org_id AND i.memory_id = e.memory_id
   WHERE e.org_id = :org_id
     AND e.brain_id = ANY (CAST(:brain_ids AS uuid[]))
     AND (CAST(:ids AS uuid[]) IS NULL OR e.memory_id = ANY (CAST(:ids AS uuid[])))
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
)
SELECT x.memory_id, 0 AS version,
       CASE WHEN x.context IS NULL THEN x.text
            WHEN x.text IS NULL THEN x.context
            ELSE (1 - :context_share) * x.text + :context_share * x.context END AS similarity
  FROM (
    SELECT s.memory_id, max(s.similarity) FILTER (WHERE s.field = 'text') AS text, max(s.similarity) FILTER (WHERE s.field = 'context') AS context
      FROM scoped s
     GROUP BY s.memory_id
  ) x
 ORDER BY x.memory_id = ANY (CAST(:seeds AS uuid[])) DESC, similarity DESC, x.memory_id
 LIMIT :limit

-- name: vector_near
-- Memories with the nearest vectors of a large scope, of text or context; a memory may come twice. Index: memory_vectors_<space>_hnsw,
-- scanned on until enough rows passed the filters.
SELECT e.memory_id
  FROM mem.{vectors} e
  JOIN mem.memory_index i ON i.org_id = e.org_id AND i.memory_id = e.memory_id
 WHERE e.org_id = :org_id
     AND e.brain_id = ANY (CAST(:brain_ids AS uuid[]))
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
 ORDER BY e.embedding <=> CAST(:query AS halfvec)
 LIMIT :limit

-- name: vector_past
-- What was known or true at another time: exact over the scope, current rows recorded by then and superseded versions. Index:
-- memory_version_index_brain_idx. Today's brain, holds and expiry apply to the past.
WITH scoped AS MATERIALIZED (
  SELECT i.memory_id, 0 AS version, e.embedding
    FROM mem.{vectors} e
    JOIN mem.memory_index i ON i.org_id = e.org_id AND i.memory_id = e.memory_id
   WHERE e.org_id = :org_id
     AND e.brain_id = ANY (CAST(:brain_ids AS uuid[]))
     AND e.field = 'text'
     AND i.org_id = :org_id
     AND i.brain_id = ANY (CAST(:brain_ids AS uuid[]))
     AND i.status = 'active'
     AND NOT i.held
     AND (i.expires_at IS NULL OR i.expires_at > :now)
     AND (CAST(:as_of AS timestamptz) IS NULL OR i.recorded_from <= CAST(:as_of AS timestamptz))
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
  UNION ALL
  SELECT v.memory_id, v.version, e.embedding
    FROM mem.{version_vectors} e
    JOIN mem.memory_version_index v ON v.org_id = e.org_id AND v.memory_id = e.memory_id AND v.version = e.version
    JOIN mem.memory_index i ON i.org_id = e.org_id AND i.memory_id = e.memory_id
   WHERE e.org_id = :org_id
     AND e.brain_id = ANY (CAST(:brain_ids AS uuid[]))
     AND v.org_id = :org_id
     AND v.brain_id = ANY (CAST(:brain_ids AS uuid[]))
     AND i.org_id = :org_id
     AND i.brain_id = ANY (CAST(:brain_ids AS uuid[]))
     AND i.status = 'active'
     AND NOT i.held
     AND (i.expires_at IS NULL OR i.expires_at > :now)
     AND (
       (CAST(:as_of AS timestamptz) IS NULL AND v.valid_to > :valid_at)
       OR (v.recorded_from <= CAST(:as_of AS timestamptz) AND v.recorded_to > CAST(:as_of AS timestamptz))
     )
     AND (v.expires_at IS NULL OR v.expires_at > :now)
     AND (v.valid_from IS NULL OR v.valid_from <= :valid_at)
     AND (CAST(:kinds AS text[]) IS NULL OR v.kind = ANY (CAST(:kinds AS text[])))
     AND (CAST(:about AS uuid[]) IS NULL OR v.about && CAST(:about AS uuid[]))
     AND (CAST(:said_by AS uuid) IS NULL OR v.said_by = CAST(:said_by AS uuid))
     AND (CAST(:topic AS text) IS NULL OR v.topic = CAST(:topic AS text) OR starts_with(v.topic, CAST(:topic AS text) || '/'))
     AND (CAST(:tags AS text[]) IS NULL OR v.tags @> CAST(:tags AS text[]))
     AND (CAST(:facets AS text[]) IS NULL OR v.facets @> CAST(:facets AS text[]))
     AND (CAST(:created_from AS timestamptz) IS NULL OR v.created_at >= CAST(:created_from AS timestamptz))
     AND (CAST(:created_to AS timestamptz) IS NULL OR v.created_at < CAST(:created_to AS timestamptz))
)
SELECT s.memory_id, s.version, 1 - (s.embedding <=> CAST(:query AS halfvec)) AS similarity
  FROM scoped s
 ORDER BY s.embedding <=> CAST(:query AS halfvec), s.memory_id, s.version
 LIMIT :limit
