-- name: add_entities
-- Entities of a brain that are not there yet, in the order of the rows. Index: entities_name_uq.
INSERT INTO mem.entities
SELECT r.* FROM jsonb_populate_recordset(NULL::mem.entities, CAST(:entities AS jsonb)) AS r WHERE r.org_id = :org_id
ON CONFLICT (org_id, brain_id, folded, kind) DO NOTHING

-- name: add_mentions
-- Which memory mentions which entity, and how often. The entities are locked against deletion, in the order of their ids. The names stand
-- there once more as an array, because the planner takes a set of JSON rows for a hundred and would read the whole brain. Index:
-- entities_name_uq.
WITH named AS (
  SELECT e.org_id, e.id, r.memory_id, r.brain_id, r.mentions
    FROM jsonb_to_recordset(CAST(:mentions AS jsonb)) AS r (memory_id uuid, brain_id uuid, folded text, kind text, mentions integer)
    JOIN mem.entities e ON e.org_id = :org_id AND e.brain_id = r.brain_id AND e.folded = r.folded AND e.kind = r.kind
     AND e.brain_id = ANY (CAST(:brain_ids AS uuid[])) AND e.folded = ANY (CAST(:names AS text[]))
   ORDER BY e.id
     FOR KEY SHARE OF e
)
INSERT INTO mem.memory_entities (org_id, entity_id, memory_id, brain_id, mentions)
SELECT n.org_id, n.id, n.memory_id, n.brain_id, n.mentions FROM named n
ON CONFLICT (org_id, entity_id, memory_id) DO UPDATE SET mentions = excluded.mentions

-- name: add_links
-- Links from new memories to earlier ones that are still there, locked against deletion in the order of their ids; the ids stand there
-- once more as an array, for the reason above. Index: memories_pk.
WITH there AS (
  SELECT m.org_id, r.from_id, r.to_id, r.kind, r.brain_id, r.weight, r.created_at
    FROM jsonb_to_recordset(CAST(:links AS jsonb))
         AS r (from_id uuid, to_id uuid, kind text, brain_id uuid, weight real, created_at timestamptz)
    JOIN mem.memories m ON m.org_id = :org_id AND m.id = r.to_id AND m.brain_id = r.brain_id AND m.id = ANY (CAST(:to_ids AS uuid[]))
   WHERE m.status <> 'deleted'
   ORDER BY m.id
     FOR KEY SHARE OF m
)
INSERT INTO mem.links (org_id, from_id, to_id, kind, brain_id, weight, created_at)
SELECT x.org_id, x.from_id, x.to_id, x.kind, x.brain_id, x.weight, x.created_at FROM there x
ON CONFLICT DO NOTHING
