-- name: list_depending
-- Memories of some brains whose context was made of one of the fragments; run as memdb_search, because && is not leakproof and under a policy
-- would be asked of every row of the org. Index: memory_index_context_fragments_idx.
SELECT i.memory_id, i.context_fragments, i.language
  FROM mem.memory_index i
 WHERE i.org_id = :org_id AND i.brain_id = ANY (CAST(:brain_ids AS uuid[])) AND i.context_fragments && CAST(:fragment_ids AS uuid[])
 ORDER BY i.memory_id
