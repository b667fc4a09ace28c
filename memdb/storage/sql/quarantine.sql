-- name: select_memories
-- Memories of an org that are not deleted and meet every condition that is given, by id; run as memdb_search, because whoever quarantines
-- need not read the brains. NULL is no condition. Indexes: memories_pk, memories_writer_idx, memories_key_idx, memories_brain_idx.
SELECT m.id AS memory_id, m.brain_id, m.kind, m.written_by
  FROM mem.memories m
 WHERE m.org_id = :org_id AND m.status <> 'deleted'
   AND (CAST(:after AS uuid) IS NULL OR m.id > CAST(:after AS uuid))
   AND (CAST(:ids AS uuid[]) IS NULL OR m.id = ANY (CAST(:ids AS uuid[])))
   AND (CAST(:writer AS uuid) IS NULL OR m.written_by = CAST(:writer AS uuid))
   AND (CAST(:key AS text) IS NULL OR m.written_key = CAST(:key AS text))
   AND (CAST(:brain AS uuid) IS NULL OR m.brain_id = CAST(:brain AS uuid))
   AND (CAST(:created_from AS timestamptz) IS NULL OR m.created_at >= CAST(:created_from AS timestamptz))
   AND (CAST(:created_to AS timestamptz) IS NULL OR m.created_at < CAST(:created_to AS timestamptz))
 ORDER BY m.id
 LIMIT :limit

-- name: select_of_sessions
-- Memories that were learned from sessions: made there, or given the text that they have. One that was only said again there, or ended, is not
-- of it. As memdb_search, as above. Indexes: snapshots_first_uq, derivations_snapshot_idx.
SELECT DISTINCT d.memory_id
  FROM mem.snapshots n
  JOIN mem.derivations d ON d.snapshot_id = n.id
 WHERE n.org_id = :org_id AND d.org_id = :org_id AND n.session_id = ANY (CAST(:session_ids AS uuid[])) AND d.action IN ('ADD', 'UPDATE')

-- name: select_of_source
-- Memories with an excerpt of the episodes of one external id, whatever brain they lie in. As memdb_search. Indexes: episodes_source_idx,
-- fragments_episode_idx, memory_fragments_fragment_idx.
SELECT DISTINCT s.memory_id
  FROM mem.episodes e
  JOIN mem.fragments f ON f.episode_id = e.id
  JOIN mem.memory_fragments s ON s.fragment_id = f.id
 WHERE e.org_id = :org_id AND f.org_id = :org_id AND s.org_id = :org_id AND e.external_id = CAST(:source AS text)

-- name: list_came_from
-- What came from memories: what was learned from the same turns, and what was made of them. As memdb_search. Indexes: derivations_memory_idx,
-- derivations_snapshot_idx, links_to_idx.
SELECT o.memory_id
  FROM mem.derivations d
  JOIN mem.derivations o ON o.snapshot_id = d.snapshot_id AND o.turn_ids && d.turn_ids
 WHERE d.org_id = :org_id AND o.org_id = :org_id AND d.memory_id = ANY (CAST(:ids AS uuid[]))
   AND d.action IN ('ADD', 'UPDATE') AND o.action IN ('ADD', 'UPDATE')
 UNION
SELECT l.from_id FROM mem.links l WHERE l.org_id = :org_id AND l.to_id = ANY (CAST(:ids AS uuid[])) AND l.kind = 'derived_from'

-- name: list_made_of
-- What memories were made of: other memories of the same excerpts, and those that they were derived from. As memdb_search. Indexes:
-- memory_fragments_pk, memory_fragments_fragment_idx, links_pk.
SELECT o.memory_id
  FROM mem.memory_fragments s
  JOIN mem.memory_fragments o ON o.fragment_id = s.fragment_id
 WHERE s.org_id = :org_id AND o.org_id = :org_id AND s.memory_id = ANY (CAST(:ids AS uuid[]))
 UNION
SELECT l.to_id FROM mem.links l WHERE l.org_id = :org_id AND l.from_id = ANY (CAST(:ids AS uuid[])) AND l.kind = 'derived_from'

-- name: list_sessions_of_memories
-- Sessions that memories were learned from. As memdb_search. Indexes: derivations_memory_idx, snapshots_pk.
SELECT DISTINCT n.session_id
  FROM mem.derivations d
  JOIN mem.snapshots n ON n.id = d.snapshot_id
 WHERE d.org_id = :org_id AND n.org_id = :org_id AND d.memory_id = ANY (CAST(:ids AS uuid[])) AND d.action IN ('ADD', 'UPDATE')

-- name: list_brains_of_sessions
-- (session, brain) of those that there are, in order. As memdb_search. Index: sessions_pk.
SELECT s.id, s.brain_id FROM mem.sessions s WHERE s.org_id = :org_id AND s.id = ANY (CAST(:session_ids AS uuid[])) ORDER BY s.brain_id, s.id

-- name: list_copies
-- Ids of what was shared from memories into other brains, as the audit tells. Index: audit_events_object_idx.
SELECT e.detail ->> 'as' AS copy
  FROM mem.audit_events e
 WHERE e.org_id = :org_id AND e.object_id = ANY (CAST(:ids AS text[])) AND e.action = 'memory.share'

-- name: list_originals
-- Ids of what memories were shared from, as the audit tells. Index: audit_events_copy_idx.
SELECT e.object_id AS original
  FROM mem.audit_events e
 WHERE e.org_id = :org_id AND e.detail ->> 'as' = ANY (CAST(:ids AS text[])) AND e.action = 'memory.share'

-- name: count_held
-- How many of some memories are held already. As memdb_search. Index: holds_pk.
SELECT count(DISTINCT h.memory_id) AS held FROM mem.holds h WHERE h.org_id = :org_id AND h.memory_id = ANY (CAST(:ids AS uuid[]))

-- name: list_held_by
-- Some of the memories that an action holds, in no order: they are taken out as they are met. As memdb_search. Index: holds_action_idx.
SELECT h.brain_id, h.memory_id FROM mem.holds h WHERE h.org_id = :org_id AND h.action_id = :action_id LIMIT :limit

-- name: list_sessions_of
-- (session, brain) that an action holds. As memdb_search. Index: session_holds_action_idx.
SELECT h.session_id, h.brain_id FROM mem.session_holds h WHERE h.org_id = :org_id AND h.action_id = :action_id ORDER BY h.brain_id, h.session_id

-- name: list_reviews
-- Held memories of an org, by id, with the actions that hold each. As memdb_search. Index: holds_pk.
SELECT h.memory_id, h.brain_id, array_agg(h.action_id ORDER BY h.action_id) AS action_ids
  FROM mem.holds h
 WHERE h.org_id = :org_id AND (CAST(:after AS uuid) IS NULL OR h.memory_id > CAST(:after AS uuid))
   AND (CAST(:brain AS uuid) IS NULL OR h.brain_id = CAST(:brain AS uuid))
   AND (CAST(:action_id AS uuid) IS NULL
        OR EXISTS (SELECT FROM mem.holds o WHERE o.org_id = :org_id AND o.memory_id = h.memory_id AND o.action_id = CAST(:action_id AS uuid)))
 GROUP BY h.memory_id, h.brain_id
 ORDER BY h.memory_id
 LIMIT :limit

-- name: list_requested
-- Memories of an org that a reviewer has to look at, by id. As memdb_search. Index: review_requests_pk.
SELECT DISTINCT r.memory_id, r.brain_id
  FROM mem.review_requests r
 WHERE r.org_id = :org_id AND (CAST(:after AS uuid) IS NULL OR r.memory_id > CAST(:after AS uuid))
   AND (CAST(:brain AS uuid) IS NULL OR r.brain_id = CAST(:brain AS uuid))
 ORDER BY r.memory_id, r.brain_id
 LIMIT :limit

-- name: find_requests
-- Why some memories are to be looked at. As memdb_search. Index: review_requests_pk.
SELECT r.memory_id, r.brain_id, r.cause, r.reasons, r.times, r.opened_at, r.changed_at
  FROM mem.review_requests r
 WHERE r.org_id = :org_id AND r.memory_id = ANY (CAST(:ids AS uuid[]))
 ORDER BY r.memory_id, r.cause

-- name: lock_many
-- Memories of a brain, locked in the order of their ids until the transaction ends. Index: memories_pk.
SELECT m.id FROM mem.memories m
 WHERE m.org_id = :org_id AND m.brain_id = :brain_id AND m.id = ANY (CAST(:ids AS uuid[]))
 ORDER BY m.id
   FOR NO KEY UPDATE

-- name: set_seals
-- New seals of locked memories, of which nothing else changes. Index: memories_pk.
UPDATE mem.memories m
   SET mac_key_id = r.mac_key_id, mac_version = r.mac_version, mac_state = r.mac_state
  FROM jsonb_populate_recordset(NULL::mem.memories, CAST(:rows AS jsonb)) AS r
 WHERE m.org_id = :org_id AND m.id = r.id

-- name: set_held
-- Whether memories are held, as branches filter by it. Index: memory_index_pk.
UPDATE mem.memory_index i SET held = :held WHERE i.org_id = :org_id AND i.memory_id = ANY (CAST(:ids AS uuid[]))

-- name: count_words
-- Adds the words of memories to the statistics, or takes them out: one delta each, with the ids that are given. Index: memory_index_pk.
INSERT INTO mem.term_deltas (org_id, brain_id, id, language, terms, documents, words)
SELECT i.org_id, i.brain_id, d.id, i.language, tsvector_to_array(i.words), CAST(:sign AS integer), i.word_count * CAST(:sign AS integer)
  FROM unnest(CAST(:ids AS uuid[]), CAST(:delta_ids AS uuid[])) AS d (memory_id, id)
  JOIN mem.memory_index i ON i.memory_id = d.memory_id
 WHERE i.org_id = :org_id

-- name: list_after
-- Memories whose own excerpt stands behind some of these fragments in its episode, within some places, and was recorded no earlier: (memory,
-- its fragment, its language, those fragments). What they have as context may hold these. Indexes: fragments_pk, fragments_episode_idx,
-- memory_fragments_fragment_idx, memory_index_pk.
SELECT s.memory_id, l.id AS fragment_id, l.episode_id, l.position, i.language, array_agg(DISTINCT f.id) AS before_ids
  FROM mem.fragments f
 CROSS JOIN LATERAL (
   SELECT n.id, n.episode_id, n.position, n.created_at
     FROM mem.fragments n
    WHERE n.org_id = :org_id AND n.episode_id = f.episode_id AND n.position > f.position
    ORDER BY n.position, n.id
    LIMIT :near
 ) l
  JOIN mem.memory_fragments s ON s.fragment_id = l.id
  JOIN mem.memory_index i ON i.memory_id = s.memory_id
 WHERE f.org_id = :org_id AND s.org_id = :org_id AND i.org_id = :org_id AND f.id = ANY (CAST(:fragment_ids AS uuid[]))
   AND s.until_version IS NULL AND l.created_at >= f.created_at
 GROUP BY s.memory_id, l.id, l.episode_id, l.position, i.language
 ORDER BY s.memory_id, l.position
