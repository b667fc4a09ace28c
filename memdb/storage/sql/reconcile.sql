-- name: find_neighbours
-- Of some statements with vectors those memories of the same brain, kind and set of subjects, valid at the same time, whose text is near:
-- at most :nearest_max of each, the nearest first. Of each scope only the newest :looked_at_max are looked at, however large it is, and each
-- vector is read once, however many statements there are. Run as memdb_search.
-- Indexes: memory_index_neighbours_idx, memory_vectors_<space>_pk.
WITH asked AS MATERIALIZED (
  SELECT r.place, r.brain_id, r.kind, r.about, r.but, CAST(r.vector AS halfvec) AS vector, r.holds_from, r.holds_to
    FROM jsonb_to_recordset(CAST(:asked AS jsonb))
         AS r (place integer, brain_id uuid, kind text, about uuid[], but uuid, vector text, holds_from timestamptz, holds_to timestamptz)
), standing AS MATERIALIZED (
  SELECT s.brain_id, s.kind, s.about, n.memory_id, n.valid_from, n.valid_to, v.embedding
    FROM (SELECT DISTINCT a.brain_id, a.kind, a.about FROM asked a) s
   CROSS JOIN LATERAL (
     SELECT i.memory_id, i.valid_from, i.valid_to
       FROM mem.memory_index i
      WHERE i.org_id = :org_id AND i.brain_id = s.brain_id AND i.brain_id = ANY (CAST(:brain_ids AS uuid[])) AND i.kind = s.kind
        AND i.about = s.about AND i.status = 'active' AND NOT i.held AND (i.expires_at IS NULL OR i.expires_at > :now)
      ORDER BY i.memory_id DESC
      LIMIT :looked_at_max
   ) n
   CROSS JOIN LATERAL (
     SELECT e.embedding
       FROM mem.{vectors} e
      WHERE e.org_id = :org_id AND e.brain_id = ANY (CAST(:brain_ids AS uuid[])) AND e.memory_id = n.memory_id AND e.field = 'text'
      LIMIT 1
   ) v
), near AS (
  SELECT a.place, s.memory_id, 1 - (a.vector <=> s.embedding) AS similarity,
         row_number() OVER (PARTITION BY a.place ORDER BY a.vector <=> s.embedding, s.memory_id DESC) AS rank
    FROM asked a
    JOIN standing s ON s.brain_id = a.brain_id AND s.kind = a.kind AND s.about = a.about AND s.memory_id IS DISTINCT FROM a.but
   WHERE (a.vector <=> s.embedding) <= :distance_max
     AND (s.valid_to IS NULL OR a.holds_from IS NULL OR s.valid_to > a.holds_from)
     AND (s.valid_from IS NULL OR a.holds_to IS NULL OR s.valid_from < a.holds_to)
)
SELECT n.place, n.memory_id, n.similarity FROM near n WHERE n.rank <= :nearest_max ORDER BY n.place, n.rank

-- name: add_similar
-- Links of later memories to earlier ones that they are near, unless those are gone or going: a memory that is being deleted is not waited
-- for. Indexes: memories_pk, links_pk.
INSERT INTO mem.links (org_id, from_id, to_id, kind, brain_id, weight, created_at)
SELECT :org_id, r.from_id, r.to_id, 'similar', r.brain_id, r.weight, CAST(:created_at AS timestamptz)
  FROM jsonb_to_recordset(CAST(:links AS jsonb)) AS r (from_id uuid, to_id uuid, brain_id uuid, weight real)
 CROSS JOIN LATERAL (
   SELECT m.id
     FROM mem.memories m
    WHERE m.org_id = :org_id AND m.id = r.to_id AND m.brain_id = r.brain_id AND m.status <> 'deleted'
    LIMIT 1
      FOR KEY SHARE SKIP LOCKED
 ) m
ON CONFLICT DO NOTHING

-- name: add_reconciliations
-- What became of writes, and why.
INSERT INTO mem.reconciliations
SELECT r.* FROM jsonb_populate_recordset(NULL::mem.reconciliations, CAST(:reconciliations AS jsonb)) r WHERE r.org_id = :org_id
