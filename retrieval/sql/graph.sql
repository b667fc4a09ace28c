-- name: graph_edges
-- What leads away from some memories, within the brains in scope: the episode that each came from, the fragments right before and after,
-- links in both directions, and things that they mention, with the newest few memories that do. `to_id` NULL: the episode itself. Indexes: memory_fragments_pk,
-- fragments_pk, fragments_episode_idx, memory_fragments_fragment_idx, links_pk, links_to_idx, memory_entities_memory_idx, memory_entities_pk.
WITH placed AS MATERIALIZED (
  SELECT s.memory_id, f.episode_id, f.position, f.id AS fragment_id
    FROM mem.memory_fragments s
    JOIN mem.fragments f ON f.id = s.fragment_id
   WHERE s.org_id = :org_id
     AND s.brain_id = ANY (CAST(:brain_ids AS uuid[]))
     AND s.memory_id = ANY (CAST(:ids AS uuid[]))
     AND f.org_id = :org_id
     AND f.brain_id = ANY (CAST(:brain_ids AS uuid[]))
)
SELECT 'episode' AS kind, p.memory_id AS from_id, CAST(NULL AS uuid) AS to_id, p.episode_id AS via, CAST(NULL AS text) AS label,
       CAST(1 AS double precision) AS weight
  FROM placed p
 UNION ALL
SELECT n.kind, p.memory_id, s.memory_id, p.episode_id, NULL, 1
  FROM placed p
 CROSS JOIN LATERAL (
   (SELECT 'before' AS kind, f.id
      FROM mem.fragments f
     WHERE f.org_id = :org_id AND f.brain_id = ANY (CAST(:brain_ids AS uuid[])) AND f.episode_id = p.episode_id
       AND (f.position, f.id) < (p.position, p.fragment_id)
     ORDER BY f.position DESC, f.id DESC
     LIMIT 1)
   UNION ALL
   (SELECT 'after', f.id
      FROM mem.fragments f
     WHERE f.org_id = :org_id AND f.brain_id = ANY (CAST(:brain_ids AS uuid[])) AND f.episode_id = p.episode_id
       AND (f.position, f.id) > (p.position, p.fragment_id)
     ORDER BY f.position, f.id
     LIMIT 1)
 ) n
  JOIN mem.memory_fragments s ON s.fragment_id = n.id
 WHERE s.org_id = :org_id AND s.brain_id = ANY (CAST(:brain_ids AS uuid[]))
 UNION ALL
SELECT 'link', l.from_id, l.to_id, NULL, NULL, l.weight
  FROM mem.links l
 WHERE l.org_id = :org_id AND l.brain_id = ANY (CAST(:brain_ids AS uuid[])) AND l.from_id = ANY (CAST(:ids AS uuid[]))
 UNION ALL
SELECT 'link', l.to_id, l.from_id, NULL, NULL, l.weight
  FROM mem.links l
 WHERE l.org_id = :org_id AND l.brain_id = ANY (CAST(:brain_ids AS uuid[])) AND l.to_id = ANY (CAST(:ids AS uuid[]))
 UNION ALL
SELECT 'entity', m.memory_id, o.memory_id, e.id, e.name, 1 / sqrt(count(*) OVER (PARTITION BY m.memory_id, e.id))
  FROM mem.memory_entities m
  JOIN mem.entities e ON e.id = m.entity_id
 CROSS JOIN LATERAL (
   SELECT x.memory_id
     FROM mem.memory_entities x
    WHERE x.org_id = :org_id AND x.brain_id = ANY (CAST(:brain_ids AS uuid[])) AND x.entity_id = e.id
    ORDER BY x.memory_id DESC
    LIMIT :hub + 1
 ) o
 WHERE m.org_id = :org_id
   AND m.brain_id = ANY (CAST(:brain_ids AS uuid[]))
   AND m.memory_id = ANY (CAST(:ids AS uuid[]))
   AND e.org_id = :org_id
   AND e.brain_id = ANY (CAST(:brain_ids AS uuid[]))
   AND e.kind <> 'speaker'

-- name: graph_servable
-- Which of some memories may be returned. Index: memory_index_pk.
SELECT i.memory_id
  FROM mem.memory_index i
 WHERE i.org_id = :org_id
     AND i.brain_id = ANY (CAST(:brain_ids AS uuid[]))
     AND i.memory_id = ANY (CAST(:ids AS uuid[]))
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
