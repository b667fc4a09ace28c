-- name: add_entities
-- Entities of a brain that are not there yet, in one order for all writers. Index: entities_name_uq.
INSERT INTO mem.entities (org_id, id, brain_id, kind, name, folded, created_at)
SELECT DISTINCT ON (r.brain_id, r.folded, r.kind) :org_id, r.id, r.brain_id, r.kind, r.name, r.folded, r.created_at
  FROM jsonb_to_recordset(CAST(:entities AS jsonb))
       AS r (memory_id uuid, id uuid, brain_id uuid, kind text, name text, folded text, created_at timestamptz)
 ORDER BY r.brain_id, r.folded, r.kind, r.memory_id
ON CONFLICT (org_id, brain_id, folded, kind) DO NOTHING

-- name: add_mentions
-- Which memory mentions which entity and how often, and links from these memories to earlier ones of their brain that share an entity: up
-- to :links_max each, those of rarer entities first, newer first among equals. An entity of n earlier memories adds 1 / (1 + n) to a weight,
-- one of more than :crowded nothing. Memories of one statement count in the order of their ids. Entities, in the order of their ids, and
-- linked memories are locked against deletion; a memory that is being deleted is not waited for but left out, because its deletion may wait
-- for an entity locked here. Names and ids stand there once more as arrays, because the planner takes a set of JSON rows
-- for a hundred and would read the whole brain. Indexes: entities_name_uq, memory_entities_pk, memories_pk.
WITH mentioned AS (
  SELECT r.memory_id, r.brain_id, r.folded, r.kind, r.mentions
    FROM jsonb_to_recordset(CAST(:mentions AS jsonb)) AS r (memory_id uuid, brain_id uuid, folded text, kind text, mentions integer)
), named AS (
  SELECT e.id, e.brain_id, e.folded, e.kind
    FROM mem.entities e
   WHERE e.org_id = :org_id AND e.brain_id = ANY (CAST(:brain_ids AS uuid[])) AND e.folded = ANY (CAST(:names AS text[]))
   ORDER BY e.id
     FOR KEY SHARE OF e
), earlier AS (
  SELECT DISTINCT n.brain_id, n.folded, newest.memory_id
    FROM (SELECT x.id, x.brain_id, x.folded FROM named x WHERE x.kind <> 'speaker') n
   CROSS JOIN LATERAL (
     SELECT m.memory_id
       FROM mem.memory_entities m
      WHERE m.org_id = :org_id AND m.brain_id = n.brain_id AND m.entity_id = n.id AND m.memory_id <> ALL (CAST(:memory_ids AS uuid[]))
      ORDER BY m.memory_id DESC
      LIMIT :crowded + 1
   ) newest
), told AS (
  SELECT x.brain_id, x.folded, x.memory_id, x.is_new, row_number() OVER (PARTITION BY x.brain_id, x.folded ORDER BY x.is_new, x.memory_id) - 1 AS before
    FROM (
      SELECT e.brain_id, e.folded, e.memory_id, false AS is_new FROM earlier e
       UNION ALL
      SELECT DISTINCT r.brain_id, r.folded, r.memory_id, true FROM mentioned r WHERE r.kind <> 'speaker'
    ) x
), shared AS (
  SELECT t.memory_id AS from_id, e.memory_id AS to_id, t.brain_id, least(1.0, sum(1.0 / (1 + t.before))) AS weight
    FROM told t
    JOIN told e ON e.brain_id = t.brain_id AND e.folded = t.folded AND e.before < t.before
   WHERE t.is_new AND t.before <= :crowded
   GROUP BY t.memory_id, e.memory_id, t.brain_id
), best AS (
  SELECT s.from_id, s.to_id, s.brain_id, s.weight, row_number() OVER (PARTITION BY s.from_id ORDER BY s.weight DESC, s.to_id DESC) AS place
    FROM shared s
), there AS (
  -- One look-up by key for each: joined, a table that was never analysed was read whole for each.
  SELECT b.from_id, b.to_id, b.brain_id, b.weight
    FROM best b
   CROSS JOIN LATERAL (
     SELECT m.id
       FROM mem.memories m
      WHERE m.org_id = :org_id AND m.id = b.to_id AND m.brain_id = b.brain_id AND m.status <> 'deleted'
      LIMIT 1
        FOR KEY SHARE SKIP LOCKED
   ) m
   WHERE b.place <= :links_max
), linked AS (
  INSERT INTO mem.links (org_id, from_id, to_id, kind, brain_id, weight, created_at)
  SELECT :org_id, t.from_id, t.to_id, 'shares_entity', t.brain_id, t.weight, CAST(:created_at AS timestamptz) FROM there t
  ON CONFLICT DO NOTHING
)
INSERT INTO mem.memory_entities (org_id, entity_id, memory_id, brain_id, mentions)
SELECT :org_id, n.id, r.memory_id, r.brain_id, r.mentions
  FROM mentioned r
  JOIN named n ON n.brain_id = r.brain_id AND n.folded = r.folded AND n.kind = r.kind
ON CONFLICT (org_id, entity_id, memory_id) DO UPDATE SET mentions = excluded.mentions
