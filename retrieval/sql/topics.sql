-- name: topic_pointers
-- Memories of the topics that a path means: of the topic itself, of those below it, of those that share a word with it, in this order; of each
-- the unit first, then the newest, so many. What comes first is read first, so that a topic that fills the answer is all that is read.
-- Indexes: topics_pk, topics_words_idx, memory_index_brain_idx, units_pk.
SELECT n.near, n.shared, x.memory_id, x.unit
  FROM (
    SELECT t.brain_id, t.folded, x.near, x.shared
      FROM mem.topics t
     CROSS JOIN LATERAL (
       SELECT CASE WHEN t.folded = :path THEN 0 WHEN t.folded >= :below AND t.folded < :behind THEN 1 ELSE 2 END AS near,
              (SELECT count(*) FROM unnest(t.words) AS w (word) WHERE w.word = ANY (CAST(:words AS text[]))) AS shared
     ) x
     WHERE t.org_id = :org_id
       AND t.brain_id = ANY (CAST(:brain_ids AS uuid[]))
       AND (t.folded = :path OR (t.folded >= :below AND t.folded < :behind) OR t.words && CAST(:words AS text[]))
     ORDER BY x.near, x.shared DESC, t.folded
     LIMIT :topics_max
  ) n
 CROSS JOIN LATERAL (
   (
     SELECT i.memory_id, i.recorded_from, true AS unit
       FROM mem.units u
       JOIN mem.memory_index i ON i.org_id = u.org_id AND i.memory_id = u.memory_id
      WHERE u.org_id = :org_id
        AND u.brain_id = ANY (CAST(:brain_ids AS uuid[]))
        AND u.brain_id = n.brain_id
        AND u.topic = n.folded
        AND i.org_id = :org_id
        AND i.brain_id = ANY (CAST(:brain_ids AS uuid[]))
        AND {servable}
   )
   UNION ALL
   (
     SELECT i.memory_id, i.recorded_from, false
       FROM mem.memory_index i
      WHERE i.org_id = :org_id
        AND i.brain_id = ANY (CAST(:brain_ids AS uuid[]))
        AND i.brain_id = n.brain_id
        AND i.topic = n.folded
        AND NOT EXISTS (
          SELECT 1 FROM mem.units u
           WHERE u.org_id = :org_id AND u.brain_id = ANY (CAST(:brain_ids AS uuid[])) AND u.memory_id = i.memory_id
        )
        AND {servable}
      ORDER BY i.recorded_from DESC, i.memory_id
      LIMIT :limit
   )
 ) x
 ORDER BY n.near, n.shared DESC, x.unit DESC, x.recorded_from DESC, x.memory_id
 LIMIT :limit

-- name: topic_counts
-- Topics that are, or lie below, some paths, in byte order from one topic on, so many of each path: with how many memories each has, how many
-- of these are units, and when the last of them changed; of topics without a memory that may be served nothing. The empty path is above all.
-- Indexes: topics_pk, memory_index_brain_idx, units_pk.
SELECT p.path, c.folded, c.memories, c.units, c.changed_at
  FROM unnest(CAST(:paths AS text[]), CAST(:belows AS text[]), CAST(:behinds AS text[])) AS p (path, below, behind)
 CROSS JOIN LATERAL (
   SELECT t.folded, x.memories, x.units, x.changed_at
     FROM mem.topics t
    CROSS JOIN LATERAL (
      SELECT count(*) AS memories, count(u.memory_id) AS units, max(i.recorded_from) AS changed_at
        FROM mem.memory_index i
        LEFT JOIN mem.units u
          ON u.org_id = :org_id AND u.brain_id = ANY (CAST(:brain_ids AS uuid[])) AND u.topic = t.folded AND u.memory_id = i.memory_id
       WHERE i.org_id = :org_id
     AND i.brain_id = ANY (CAST(:brain_ids AS uuid[]))
     AND i.topic = t.folded COLLATE "C"
     AND {servable}
    ) x
    WHERE t.org_id = :org_id
     AND t.brain_id = ANY (CAST(:brain_ids AS uuid[]))
     AND t.folded > :after
     AND (p.path = '' OR t.folded = p.path OR (t.folded >= p.below AND t.folded < p.behind))
     AND x.memories > 0
    ORDER BY t.folded
    LIMIT :limit
 ) c
 ORDER BY p.path, c.folded

-- name: topics_known
-- Folded topics of a brain in byte order, whether a memory that may be served has them or not; bounded. Index: topics_pk.
SELECT t.folded
  FROM mem.topics t
 WHERE t.org_id = :org_id
     AND t.brain_id = ANY (CAST(:brain_ids AS uuid[]))
 ORDER BY t.folded
 LIMIT :limit
