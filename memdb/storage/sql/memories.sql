-- name: add_memories
-- Stores new memories with everything that belongs to them, in one round trip: index, counters, vectors, word counts, entities, audit. A
-- memory whose duplicate key a concurrent writer took first is not stored, and nothing of it is; the ids that went in come back. Indexes:
-- memories_duplicate_uq, entities_name_uq. Rows arrive as JSON in the shape of their tables, with org_id in each; an entity names the
-- memory that mentions it, and entities are taken in one order by all writers.
WITH added AS (
  INSERT INTO mem.memories
  SELECT r.* FROM jsonb_populate_recordset(NULL::mem.memories, CAST(:memories AS jsonb)) AS r WHERE r.org_id = :org_id
  ON CONFLICT (org_id, brain_id, kind, duplicate_key) DO NOTHING
  RETURNING id
), filed AS (
  INSERT INTO mem.topics
  SELECT r.org_id, r.brain_id, r.folded, r.label, r.words, r.created_at
    FROM jsonb_populate_recordset(NULL::mem.topics, CAST(:topics AS jsonb)) AS r WHERE r.org_id = :org_id
  ON CONFLICT (org_id, brain_id, folded) DO NOTHING
), indexed AS (
  INSERT INTO mem.memory_index
  SELECT r.* FROM jsonb_populate_recordset(NULL::mem.memory_index, CAST(:index AS jsonb)) AS r
    JOIN added a ON a.id = r.memory_id WHERE r.org_id = :org_id
), counted AS (
  INSERT INTO mem.memory_stats
  SELECT r.* FROM jsonb_populate_recordset(NULL::mem.memory_stats, CAST(:stats AS jsonb)) AS r
    JOIN added a ON a.id = r.memory_id WHERE r.org_id = :org_id
), embedded AS (
  INSERT INTO mem.{vectors}
  SELECT r.* FROM jsonb_populate_recordset(NULL::mem.{vectors}, CAST(:vectors AS jsonb)) AS r
    JOIN added a ON a.id = r.memory_id WHERE r.org_id = :org_id
), waiting AS (
  INSERT INTO mem.embedding_pending
  SELECT r.* FROM jsonb_populate_recordset(NULL::mem.embedding_pending, CAST(:pending AS jsonb)) AS r
    JOIN added a ON a.id = r.memory_id WHERE r.org_id = :org_id
), counted_words AS (
  -- The id of a delta is the memory's own: a memory is added once.
  INSERT INTO mem.term_deltas
  SELECT r.* FROM jsonb_populate_recordset(NULL::mem.term_deltas, CAST(:deltas AS jsonb)) AS r
    JOIN added a ON a.id = r.id WHERE r.org_id = :org_id
), named AS (
  INSERT INTO mem.entities (org_id, id, brain_id, kind, name, folded, created_at)
  SELECT DISTINCT ON (r.brain_id, r.folded, r.kind) :org_id, r.id, r.brain_id, r.kind, r.name, r.folded, r.created_at
    FROM jsonb_to_recordset(CAST(:entities AS jsonb))
         AS r (memory_id uuid, id uuid, brain_id uuid, kind text, name text, folded text, created_at timestamptz)
    JOIN added a ON a.id = r.memory_id
   ORDER BY r.brain_id, r.folded, r.kind, r.memory_id
  ON CONFLICT (org_id, brain_id, folded, kind) DO NOTHING
), audited AS (
  INSERT INTO mem.audit_events
  SELECT r.* FROM jsonb_populate_recordset(NULL::mem.audit_events, CAST(:events AS jsonb)) AS r
    JOIN added a ON CAST(a.id AS text) = r.object_id WHERE r.org_id = :org_id
)
SELECT a.id FROM added a
