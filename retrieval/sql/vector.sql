-- name: vector_exact
-- The vectors of a small scope, compared one by one: of the text and, where there is one, of the context; what other branches found comes
-- first. Index: memory_vectors_<space>_brain_idx. The rows are made first, so that the planner cannot turn to the HNSW index, which would
-- return too few of them.
WITH scoped AS MATERIALIZED (
  SELECT e.memory_id, i.kind, e.field, 1 - (e.embedding <=> CAST(:query AS halfvec)) AS similarity
    FROM mem.{vectors} e
    JOIN mem.memory_index i ON i.org_id = e.org_id AND i.memory_id = e.memory_id
   WHERE e.org_id = :org_id
     AND e.brain_id = ANY (CAST(:brain_ids AS uuid[]))
     AND i.org_id = :org_id
     AND i.brain_id = ANY (CAST(:brain_ids AS uuid[]))
     AND {servable}
)
{blended}

-- name: vector_near
-- The memories with the nearest vectors of a large scope, of text or context, and what other branches found, compared as in vector_exact.
-- Indexes: memory_vectors_<space>_hnsw, scanned on until enough rows passed the filters; memory_vectors_<space>_pk, memory_index_pk.
WITH near AS MATERIALIZED (
  SELECT e.memory_id, i.kind
    FROM mem.{vectors} e
    JOIN mem.memory_index i ON i.org_id = e.org_id AND i.memory_id = e.memory_id
   WHERE e.org_id = :org_id
     AND e.brain_id = ANY (CAST(:brain_ids AS uuid[]))
     AND i.org_id = :org_id
     AND i.brain_id = ANY (CAST(:brain_ids AS uuid[]))
     AND {servable}
   ORDER BY e.embedding <=> CAST(:query AS halfvec)
   LIMIT :nearest
), wanted AS (
  SELECT n.memory_id, n.kind
    FROM near n
   UNION
  SELECT i.memory_id, i.kind
    FROM mem.memory_index i
   WHERE i.org_id = :org_id
     AND i.brain_id = ANY (CAST(:brain_ids AS uuid[]))
     AND i.memory_id = ANY (CAST(:seeds AS uuid[]))
     AND {servable}
), scoped AS MATERIALIZED (
  SELECT e.memory_id, w.kind, e.field, 1 - (e.embedding <=> CAST(:query AS halfvec)) AS similarity
    FROM wanted w
    JOIN mem.{vectors} e ON e.memory_id = w.memory_id
   WHERE e.org_id = :org_id
     AND e.brain_id = ANY (CAST(:brain_ids AS uuid[]))
)
{blended}

-- name: vector_past
-- What was known or true at another time: exact over the scope, current rows recorded by then and superseded versions. Index:
-- memory_version_index_brain_idx. Today's brain, holds and expiry apply to the past.
WITH scoped AS MATERIALIZED (
  SELECT i.memory_id, 0 AS version, i.kind, e.embedding
    FROM mem.{vectors} e
    JOIN mem.memory_index i ON i.org_id = e.org_id AND i.memory_id = e.memory_id
   WHERE e.org_id = :org_id
     AND e.brain_id = ANY (CAST(:brain_ids AS uuid[]))
     AND e.field = 'text'
     AND i.org_id = :org_id
     AND i.brain_id = ANY (CAST(:brain_ids AS uuid[]))
     AND (CAST(:as_of AS timestamptz) IS NULL OR i.recorded_from <= CAST(:as_of AS timestamptz))
     AND {servable}
  UNION ALL
  SELECT v.memory_id, v.version, v.kind, e.embedding
    FROM mem.{version_vectors} e
    JOIN mem.memory_version_index v ON v.org_id = e.org_id AND v.memory_id = e.memory_id AND v.version = e.version
    JOIN mem.memory_index i ON i.org_id = e.org_id AND i.memory_id = e.memory_id
   WHERE e.org_id = :org_id
     AND e.brain_id = ANY (CAST(:brain_ids AS uuid[]))
     AND v.org_id = :org_id
     AND v.brain_id = ANY (CAST(:brain_ids AS uuid[]))
     AND i.org_id = :org_id
     AND i.brain_id = ANY (CAST(:brain_ids AS uuid[]))
     AND (
       (CAST(:as_of AS timestamptz) IS NULL AND v.valid_to > :valid_at)
       OR (v.recorded_from <= CAST(:as_of AS timestamptz) AND v.recorded_to > CAST(:as_of AS timestamptz))
     )
     AND {servable_version}
)
SELECT s.memory_id, s.version, s.kind, 1 - (s.embedding <=> CAST(:query AS halfvec)) AS similarity
  FROM scoped s
 ORDER BY s.embedding <=> CAST(:query AS halfvec), s.memory_id, s.version
 LIMIT :limit
