-- name: stem_counts
-- In how many memories of the brains in scope each stem stands, rarest first; at most eight, none that stands nowhere. Index: term_stats_pk.
SELECT s.term
  FROM mem.term_stats s
 WHERE s.org_id = :org_id AND s.brain_id = ANY (CAST(:brain_ids AS uuid[])) AND s.term = ANY (CAST(:terms AS text[]))
 GROUP BY s.term
 ORDER BY sum(s.documents), s.term
 LIMIT 8

-- name: near_exact
-- (a) in a small scope: every vector is compared. The rows are made first, so that the planner cannot turn to the HNSW index. Index:
-- memory_vectors_<space>_brain_idx.
WITH scoped AS MATERIALIZED (
  SELECT e.memory_id, e.embedding <=> CAST(:query AS halfvec) AS distance
    FROM mem.{vectors} e
   WHERE e.org_id = :org_id AND e.brain_id = ANY (CAST(:brain_ids AS uuid[])) AND e.field = 'text'
)
SELECT s.memory_id
  FROM scoped s
 ORDER BY s.distance, s.memory_id
 LIMIT 50

-- name: near_index
-- (a) in any other scope: the nearest by the index, whose ef_search is set before. Index: memory_vectors_<space>_hnsw.
SELECT e.memory_id
  FROM mem.{vectors} e
 WHERE e.org_id = :org_id AND e.brain_id = ANY (CAST(:brain_ids AS uuid[])) AND e.field = 'text'
 ORDER BY e.embedding <=> CAST(:query AS halfvec)
 LIMIT 50

-- name: worded
-- (b) memories that hold one of the stems, by Postgres' own rank; of at most 4,000 of them. Index: memory_index_words_idx.
WITH candidate AS MATERIALIZED (
  SELECT i.memory_id, i.words
    FROM mem.memory_index i
   WHERE i.org_id = :org_id AND i.brain_id = ANY (CAST(:brain_ids AS uuid[])) AND i.words @@ CAST(:words AS tsquery)
   LIMIT 4000
)
SELECT c.memory_id
  FROM candidate c
 ORDER BY ts_rank_cd(c.words, CAST(:words AS tsquery)) DESC, c.memory_id
 LIMIT 50

-- name: contents
-- What was found, as the role that reads memories. Index: memories_pk.
SELECT m.id, m.content
  FROM mem.memories m
 WHERE m.org_id = :org_id AND m.brain_id = ANY (CAST(:brain_ids AS uuid[])) AND m.id = ANY (CAST(:ids AS uuid[]))
