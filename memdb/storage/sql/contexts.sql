-- name: list_depending
-- Memories of some brains whose context was made of one of the fragments; run as memdb_search, because && is not leakproof and under a policy
-- would be asked of every row of the org. Index: memory_index_context_fragments_idx.
SELECT i.memory_id, i.context_fragments, i.language
  FROM mem.memory_index i
 WHERE i.org_id = :org_id AND i.brain_id = ANY (CAST(:brain_ids AS uuid[])) AND i.context_fragments && CAST(:fragment_ids AS uuid[])
 ORDER BY i.memory_id

-- name: await_vectors
-- Lets memories wait for the backfill: those that have a context, or all. One that waits already is due at once. Index: memory_index_pk.
INSERT INTO mem.embedding_pending (org_id, space, memory_id, brain_id, attempts, next_try_at)
SELECT i.org_id, :space, i.memory_id, i.brain_id, 0, CAST(:now AS timestamptz)
  FROM mem.memory_index i
 WHERE i.org_id = :org_id AND i.memory_id = ANY (CAST(:memory_ids AS uuid[]))
   AND (CAST(:all AS boolean) OR cardinality(i.context_fragments) > 0)
 ORDER BY i.memory_id
ON CONFLICT (org_id, space, memory_id) DO UPDATE SET next_try_at = excluded.next_try_at
