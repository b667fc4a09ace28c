-- name: graph_edges
-- What leads away from some memories to others within the brains in scope: the episode that each came from (no `to_ids`), the fragments
-- right before and after (of what the present text came from), links in both directions, those of near texts by a kind of their own, and
-- things that they mention, with the newest few memories that do. What is held is nobody's neighbour and makes nothing less rare. Which of
-- those that are led to may be returned stands in a row of its own, 'memory', so that each is looked up once. Indexes: memory_fragments_pk, fragments_pk, fragments_episode_idx,
-- memory_fragments_fragment_idx, links_pk, links_to_idx, memory_entities_memory_idx, memory_entities_pk, memory_index_pk.
WITH placed AS MATERIALIZED (
  SELECT s.memory_id, f.episode_id, f.position, f.id AS fragment_id
    FROM mem.memory_fragments s
    JOIN mem.fragments f ON f.id = s.fragment_id
   WHERE s.org_id = :org_id
     AND s.brain_id = ANY (CAST(:brain_ids AS uuid[]))
     AND s.memory_id = ANY (CAST(:ids AS uuid[]))
     AND s.until_version IS NULL
     AND f.org_id = :org_id
     AND f.brain_id = ANY (CAST(:brain_ids AS uuid[]))
), mentioned AS MATERIALIZED (
  SELECT e.id, e.name, array_agg(m.memory_id ORDER BY m.memory_id) AS from_ids
    FROM mem.memory_entities m
    JOIN mem.entities e ON e.id = m.entity_id
   WHERE m.org_id = :org_id
     AND m.brain_id = ANY (CAST(:brain_ids AS uuid[]))
     AND m.memory_id = ANY (CAST(:ids AS uuid[]))
     AND e.org_id = :org_id
     AND e.brain_id = ANY (CAST(:brain_ids AS uuid[]))
     AND e.kind <> 'speaker'
   GROUP BY e.id, e.name
), edge AS MATERIALIZED (
  SELECT n.kind, p.episode_id AS via, CAST(NULL AS text) AS label, CAST(1 AS double precision) AS weight, ARRAY[p.memory_id] AS from_ids,
         array_agg(s.memory_id ORDER BY s.memory_id) AS to_ids
    FROM placed p
   CROSS JOIN LATERAL (
     (SELECT 'before' AS kind, f.id
        FROM mem.fragments f
       WHERE f.org_id = :org_id AND f.brain_id = ANY (CAST(:brain_ids AS uuid[])) AND f.episode_id = p.episode_id
         AND (f.position, f.id) < (p.position, p.fragment_id)
         AND EXISTS (SELECT FROM mem.memory_fragments w JOIN mem.memory_index h ON h.memory_id = w.memory_id
                      WHERE w.org_id = :org_id AND w.brain_id = ANY (CAST(:brain_ids AS uuid[])) AND w.fragment_id = f.id
                        AND h.org_id = :org_id AND h.brain_id = ANY (CAST(:brain_ids AS uuid[])) AND NOT h.held)
       ORDER BY f.position DESC, f.id DESC
       LIMIT 1)
     UNION ALL
     (SELECT 'after', f.id
        FROM mem.fragments f
       WHERE f.org_id = :org_id AND f.brain_id = ANY (CAST(:brain_ids AS uuid[])) AND f.episode_id = p.episode_id
         AND (f.position, f.id) > (p.position, p.fragment_id)
         AND EXISTS (SELECT FROM mem.memory_fragments w JOIN mem.memory_index h ON h.memory_id = w.memory_id
                      WHERE w.org_id = :org_id AND w.brain_id = ANY (CAST(:brain_ids AS uuid[])) AND w.fragment_id = f.id
                        AND h.org_id = :org_id AND h.brain_id = ANY (CAST(:brain_ids AS uuid[])) AND NOT h.held)
       ORDER BY f.position, f.id
       LIMIT 1)
   ) n
    JOIN mem.memory_fragments s ON s.fragment_id = n.id
   WHERE s.org_id = :org_id AND s.brain_id = ANY (CAST(:brain_ids AS uuid[])) AND s.until_version IS NULL
   GROUP BY n.kind, p.episode_id, p.memory_id
   UNION ALL
  SELECT CASE l.kind WHEN 'similar' THEN 'similar' ELSE 'link' END, CAST(NULL AS uuid), NULL, l.weight, ARRAY[l.from_id],
         array_agg(l.to_id ORDER BY l.to_id)
    FROM mem.links l
   WHERE l.org_id = :org_id AND l.brain_id = ANY (CAST(:brain_ids AS uuid[])) AND l.from_id = ANY (CAST(:ids AS uuid[]))
   GROUP BY l.from_id, l.kind, l.weight
   UNION ALL
  SELECT CASE l.kind WHEN 'similar' THEN 'similar' ELSE 'link' END, NULL, NULL, l.weight, ARRAY[l.to_id],
         array_agg(l.from_id ORDER BY l.from_id)
    FROM mem.links l
   WHERE l.org_id = :org_id AND l.brain_id = ANY (CAST(:brain_ids AS uuid[])) AND l.to_id = ANY (CAST(:ids AS uuid[]))
   GROUP BY l.to_id, l.kind, l.weight
   UNION ALL
  SELECT 'entity', n.id, n.name, 1 / sqrt(greatest(1, cardinality(o.to_ids))), n.from_ids, o.to_ids
    FROM mentioned n
   CROSS JOIN LATERAL (
     SELECT ARRAY(
       SELECT x.memory_id
         FROM mem.memory_entities x
         JOIN mem.memory_index k ON k.memory_id = x.memory_id
        WHERE x.org_id = :org_id AND x.brain_id = ANY (CAST(:brain_ids AS uuid[])) AND x.entity_id = n.id
          AND k.org_id = :org_id AND k.brain_id = ANY (CAST(:brain_ids AS uuid[])) AND NOT k.held
        ORDER BY x.memory_id DESC
        LIMIT :hub + 1
     ) AS to_ids
     OFFSET 0
   ) o
)
SELECT 'memory' AS kind, CAST(NULL AS uuid) AS via, CAST(NULL AS text) AS label, CAST(NULL AS double precision) AS weight,
       CAST(NULL AS uuid[]) AS from_ids, array_agg(i.memory_id ORDER BY i.memory_id) AS to_ids, array_agg(i.kind ORDER BY i.memory_id) AS kinds
  FROM mem.memory_index i
 WHERE i.org_id = :org_id
     AND i.brain_id = ANY (CAST(:brain_ids AS uuid[]))
     AND i.memory_id = ANY (ARRAY(SELECT DISTINCT unnest(e.to_ids) FROM edge e))
     AND {servable}
 UNION ALL
SELECT 'episode', p.episode_id, NULL, 1, array_agg(DISTINCT p.memory_id), NULL, NULL
  FROM placed p
 GROUP BY p.episode_id
 UNION ALL
SELECT e.kind, e.via, e.label, e.weight, e.from_ids, e.to_ids, NULL
  FROM edge e
