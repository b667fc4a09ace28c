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
-- The memory of exactly these subjects that tells an attribute from the first moment after another on; run as memdb_search, as find_claim.
-- Index: memory_index_about_idx.
SELECT i.memory_id, i.valid_from
  FROM mem.memory_index i
 WHERE i.org_id = :org_id AND i.brain_id = :brain_id AND i.kind = CAST(:kind AS text)
   AND i.about @> CAST(:about AS uuid[]) AND i.about = CAST(:about AS uuid[])
   AND i.facets @> CAST(:facets AS text[]) AND i.status = 'active' AND NOT i.held
   AND i.valid_from > :since
 ORDER BY i.valid_from, i.memory_id
 LIMIT 1

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
