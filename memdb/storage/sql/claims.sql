-- name: find_claim
-- The newest memory of exactly these subjects that tells an attribute and holds at a moment; run as memdb_search, because as memdb_app every
-- memory of the brain would be read: @> is not leakproof. Index: memory_index_about_idx.
SELECT i.memory_id
  FROM mem.memory_index i
 WHERE i.org_id = :org_id AND i.brain_id = :brain_id AND i.kind = CAST(:kind AS text)
   AND i.about @> CAST(:about AS uuid[]) AND i.about = CAST(:about AS uuid[])
   AND i.facets @> CAST(:facets AS text[]) AND i.status = 'active' AND NOT i.held
   AND (i.valid_from IS NULL OR i.valid_from <= :since) AND (i.valid_to IS NULL OR i.valid_to > :since)
 ORDER BY i.memory_id DESC
 LIMIT 1

-- name: find_next_claim
-- The memory of exactly these subjects that told an attribute from the first moment after another on, also in an older version that another
-- took over from, and that moment; run as memdb_search, as find_claim. Indexes: memory_index_about_idx, memory_version_index_pk.
SELECT x.memory_id, x.valid_from
  FROM (
    SELECT i.memory_id, i.valid_from
      FROM mem.memory_index i
     WHERE i.org_id = :org_id AND i.brain_id = :brain_id AND i.kind = CAST(:kind AS text)
       AND i.about @> CAST(:about AS uuid[]) AND i.about = CAST(:about AS uuid[])
       AND i.facets @> CAST(:facets AS text[]) AND i.status = 'active' AND NOT i.held
       AND i.valid_from > :since
    UNION ALL
    SELECT i.memory_id, v.valid_from
      FROM mem.memory_index i
      JOIN mem.memory_version_index v ON v.org_id = i.org_id AND v.memory_id = i.memory_id
     WHERE i.org_id = :org_id AND i.brain_id = :brain_id AND i.kind = CAST(:kind AS text)
       AND i.about @> CAST(:about AS uuid[]) AND i.about = CAST(:about AS uuid[])
       AND i.facets @> CAST(:facets AS text[]) AND i.status = 'active' AND NOT i.held
       AND v.org_id = :org_id AND v.facets @> CAST(:facets AS text[]) AND v.valid_from > :since AND v.valid_to IS NOT NULL
  ) x
 ORDER BY x.valid_from, x.memory_id
 LIMIT 1

-- name: list_past_claims
-- Older versions that told an attribute of exactly these subjects and held at a moment, until another took over; run as memdb_search, as
-- find_claim. Indexes: memory_index_about_idx, memory_version_index_pk.
SELECT v.memory_id, v.version
  FROM mem.memory_index i
  JOIN mem.memory_version_index v ON v.org_id = i.org_id AND v.memory_id = i.memory_id
 WHERE i.org_id = :org_id AND i.brain_id = :brain_id AND i.kind = CAST(:kind AS text)
   AND i.about @> CAST(:about AS uuid[]) AND i.about = CAST(:about AS uuid[])
   AND i.facets @> CAST(:facets AS text[]) AND i.status = 'active' AND NOT i.held
   AND v.org_id = :org_id AND v.facets @> CAST(:facets AS text[])
   AND (v.valid_from IS NULL OR v.valid_from < :since) AND v.valid_to > :since
 ORDER BY v.memory_id, v.version

-- name: list_claims
-- The newest memories of exactly these subjects that tell an attribute, whenever they hold; run as memdb_search, as find_claim.
-- Index: memory_index_about_idx.
SELECT i.memory_id
  FROM mem.memory_index i
 WHERE i.org_id = :org_id AND i.brain_id = :brain_id AND i.kind = CAST(:kind AS text)
   AND i.about @> CAST(:about AS uuid[]) AND i.about = CAST(:about AS uuid[])
   AND i.facets @> CAST(:facets AS text[]) AND i.status = 'active' AND NOT i.held
 ORDER BY i.memory_id DESC
 LIMIT :limit
