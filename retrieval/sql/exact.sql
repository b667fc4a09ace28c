-- name: exact_ids
-- Memories in scope by their ids. Index: memory_index_pk.
SELECT i.memory_id, i.kind
  FROM mem.memory_index i
 WHERE i.org_id = :org_id
     AND i.brain_id = ANY (CAST(:brain_ids AS uuid[]))
     AND i.memory_id = ANY (CAST(:ids AS uuid[]))
     AND {servable}

-- name: exact_topic
-- Memories of a topic and of those below it: the topic itself first, newest first. Index: memory_index_brain_idx.
SELECT i.memory_id, i.kind
  FROM mem.memory_index i
 WHERE i.org_id = :org_id
     AND i.brain_id = ANY (CAST(:brain_ids AS uuid[]))
     AND (i.topic = :path OR starts_with(i.topic, :path || '/'))
     AND {servable}
 ORDER BY i.topic <> :path, i.memory_id DESC
 LIMIT :limit

-- name: exact_phrase
-- Memories that hold words one right after the other, newest first. Index: memory_index_words_idx.
SELECT i.memory_id, i.kind
  FROM mem.memory_index i
 WHERE i.org_id = :org_id
     AND i.brain_id = ANY (CAST(:brain_ids AS uuid[]))
     AND i.words @@ CAST(:phrase AS tsquery)
     AND {servable}
 ORDER BY i.memory_id DESC
 LIMIT :limit
