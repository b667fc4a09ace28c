-- name: list_brain_ids
-- Every brain of the current org, which the function binds; ids alone. Index: brains_pk.
SELECT b.brain_id FROM mem.list_brain_ids() b WHERE CAST(:org_id AS uuid) = mem.current_org()

-- name: end_of_memories
-- Where a page of the memories of a brain ends, so that one statement looks at so many rows and no more. Index: memories_brain_idx.
SELECT x.id
  FROM (SELECT m.id FROM mem.memories m WHERE m.org_id = :org_id AND m.brain_id = :brain_id AND m.id > :after ORDER BY m.id LIMIT :most) x
 ORDER BY x.id DESC
 LIMIT 1

-- name: find_memories
-- Memories of a page that have to do with some subjects: about or said by them, whatever the version, or with a text that a pattern matches.
-- whole: it goes; it is about nobody else, or about nobody and by them. Index: memories_brain_idx, memory_versions_pk.
SELECT m.id,
       (CAST(:all_of_it AS boolean) OR (m.about <> '{}' AND m.about <@ CAST(:ids AS uuid[]))
        OR (m.about = '{}' AND coalesce(m.said_by, m.written_by) = ANY (CAST(:ids AS uuid[])))) AS whole
  FROM mem.memories m
 WHERE m.org_id = :org_id AND m.brain_id = :brain_id AND m.id > :after AND m.id <= :until AND m.status <> 'deleted'
   AND (CAST(:all_of_it AS boolean) OR m.about && CAST(:ids AS uuid[]) OR m.said_by = ANY (CAST(:ids AS uuid[]))
        OR (m.about = '{}' AND m.said_by IS NULL AND m.written_by = ANY (CAST(:ids AS uuid[])))
        OR m.content ~* CAST(:pattern AS text) OR CAST(m.data AS text) ~* CAST(:pattern AS text)
        OR m.topic ~* CAST(:pattern AS text) OR array_to_string(m.tags, ' ') ~* CAST(:pattern AS text)
        OR m.writer_label ~* CAST(:pattern AS text)
        OR (m.version > 1 AND EXISTS (
             SELECT 1
               FROM mem.memory_versions v
              WHERE v.org_id = :org_id AND v.memory_id = m.id
                AND (v.about && CAST(:ids AS uuid[]) OR v.said_by = ANY (CAST(:ids AS uuid[]))
                     OR v.content ~* CAST(:pattern AS text) OR CAST(v.data AS text) ~* CAST(:pattern AS text)
                     OR v.topic ~* CAST(:pattern AS text) OR array_to_string(v.tags, ' ') ~* CAST(:pattern AS text)
                     OR v.writer_label ~* CAST(:pattern AS text)))))
 ORDER BY m.id

-- name: find_tombstones
-- Deleted memories of a page whose writer had a label that holds a name: of them only who wrote is left. A name that others share counts where
-- the subject wrote. Index: memories_brain_idx.
SELECT m.id
  FROM mem.memories m
 WHERE m.org_id = :org_id AND m.brain_id = :brain_id AND m.id > :after AND m.id <= :until AND m.status = 'deleted'
   AND (m.writer_label ~* CAST(:sure AS text) OR (m.written_by = ANY (CAST(:ids AS uuid[])) AND m.writer_label ~* CAST(:pattern AS text)))
 ORDER BY m.id

-- name: end_of_episodes
-- Where a page of the episodes of a brain ends. Index: episodes_external_uq.
SELECT x.id
  FROM (SELECT e.id FROM mem.episodes e WHERE e.org_id = :org_id AND e.brain_id = :brain_id AND e.id > :after ORDER BY e.id LIMIT :most) x
 ORDER BY x.id DESC
 LIMIT 1

-- name: find_fragments
-- Fragments of a page of episodes that some subjects said, or with a text or a speaker that a pattern matches. Index: fragments_episode_idx.
SELECT f.id, f.speaker_id, f.speaker, f.text, f.redactions
  FROM mem.episodes e
  JOIN mem.fragments f ON f.org_id = e.org_id AND f.episode_id = e.id
 WHERE e.org_id = :org_id AND e.brain_id = :brain_id AND e.id > :after AND e.id <= :until AND f.org_id = :org_id
   AND (CAST(:all_of_it AS boolean) OR f.speaker_id = ANY (CAST(:ids AS uuid[]))
        OR f.text ~* CAST(:pattern AS text) OR f.speaker ~* CAST(:pattern AS text))
 ORDER BY f.id

-- name: end_of_sessions
-- Where a page of the sessions of a brain ends. Index: sessions_brain_idx.
SELECT x.id
  FROM (SELECT s.id FROM mem.sessions s WHERE s.org_id = :org_id AND s.brain_id = :brain_id AND s.id > :after ORDER BY s.id LIMIT :most) x
 ORDER BY x.id DESC
 LIMIT 1

-- name: find_turns
-- Turns of a page of sessions that some subjects said, or with a text, a speaker or an attachment that a pattern matches; what was blanked
-- already is left out. Index: turns_session_idx.
SELECT t.id, t.role, t.speaker_id, t.speaker, t.text, t.redactions, t.attachments, t.written_by, t.writer_label
  FROM mem.sessions s
  JOIN mem.turns t ON t.org_id = s.org_id AND t.session_id = s.id
 WHERE s.org_id = :org_id AND s.brain_id = :brain_id AND s.id > :after AND s.id <= :until AND t.org_id = :org_id
   AND NOT (t.text = CAST(:mark AS text) AND t.speaker IS NULL AND t.speaker_id IS NULL AND t.attachments = '[]'
            AND (t.writer_label ~* CAST(:pattern AS text)) IS NOT TRUE)
   AND (CAST(:all_of_it AS boolean) OR t.speaker_id = ANY (CAST(:ids AS uuid[]))
        OR (t.speaker_id IS NULL AND t.role = 'user' AND t.written_by = ANY (CAST(:ids AS uuid[])))
        OR t.text ~* CAST(:pattern AS text) OR t.speaker ~* CAST(:pattern AS text) OR CAST(t.attachments AS text) ~* CAST(:pattern AS text)
        OR t.writer_label ~* CAST(:pattern AS text))
 ORDER BY t.id

-- name: blank_turns
-- Takes out what was said and who said it; id, place and times remain, and the caller's id of the turn, by which a repetition is known.
-- Index: turns_pk of each partition.
UPDATE mem.turns t
   SET text = CAST(:mark AS text), speaker = NULL, speaker_id = NULL, redactions = '[]', attachments = '[]', utc_offset = NULL,
       writer_label = CASE WHEN t.writer_label ~* CAST(:pattern AS text) THEN CAST(:mark AS text) ELSE t.writer_label END
 WHERE t.org_id = :org_id AND t.brain_id = :brain_id AND t.id = ANY (CAST(:ids AS uuid[]))

-- name: begin_extractions_anew
-- Extractions that wait and have one of these turns before them read it as it is now: whoever has one in hand is told that it is over.
-- Index: extractions_pk, snapshots_pk.
UPDATE mem.extractions x
   SET run = x.run + 1
  FROM mem.snapshots n, mem.turns t
 WHERE x.org_id = :org_id AND x.brain_id = :brain_id AND x.state = 'waiting' AND n.org_id = :org_id AND n.id = x.snapshot_id
   AND t.org_id = :org_id AND t.session_id = n.session_id AND t.position BETWEEN n.overlap_from AND n.last_position
   AND t.id = ANY (CAST(:ids AS uuid[]))

-- name: find_names
-- What else in a brain has words: titles of sessions, ids that episodes have elsewhere, notes, topics, entities, the name of the brain; those
-- that a pattern matches, by kind and id. key: of a note of feedback, whose; of a topic, its folded form.
SELECT x.kind, x.id, x.key, x.text
  FROM (
    SELECT 'session' AS kind, s.id, '' AS key, s.title AS text FROM mem.sessions s WHERE s.org_id = :org_id AND s.brain_id = :brain_id
    UNION ALL
    SELECT 'episode', e.id, '', e.external_id FROM mem.episodes e WHERE e.org_id = :org_id AND e.brain_id = :brain_id
    UNION ALL
    SELECT 'conflict', c.id, '', c.note FROM mem.conflicts c WHERE c.org_id = :org_id AND c.brain_id = :brain_id
    UNION ALL
    SELECT 'note', o.memory_id, CAST(o.recall_id AS text) || ' ' || o.key_id, o.note
      FROM mem.outcomes o WHERE o.org_id = :org_id AND o.brain_id = :brain_id
    UNION ALL
    SELECT 'topic', p.brain_id, p.folded, p.label FROM mem.topics p WHERE p.org_id = :org_id AND p.brain_id = :brain_id
    UNION ALL
    SELECT 'entity', n.id, '', n.name FROM mem.entities n WHERE n.org_id = :org_id AND n.brain_id = :brain_id
    UNION ALL
    SELECT 'brain', b.id, '', b.name FROM mem.brains b WHERE b.org_id = :org_id AND b.id = :brain_id
  ) x
 WHERE x.text ~* CAST(:pattern AS text)
 ORDER BY x.kind, x.id, x.key

-- name: forget_lineage
-- Where an erased memory came from, as far as `memories.erase` leaves it. Index: derivations_memory_idx.
DELETE FROM mem.derivations d WHERE d.org_id = :org_id AND d.brain_id = :brain_id AND d.memory_id = :memory_id

-- name: forget_neighbours
-- Erased memories among those that other writes were compared with. Small: what was compared and is kept of one brain.
UPDATE mem.reconciliations r
   SET neighbour_ids = ARRAY(SELECT x FROM unnest(r.neighbour_ids) x WHERE x <> ALL (CAST(:ids AS uuid[])))
 WHERE r.org_id = :org_id AND r.brain_id = :brain_id AND r.neighbour_ids && CAST(:ids AS uuid[])

-- name: forget_outcomes_of
-- What some subjects said of memories that they recalled, notes included. Index: outcomes_brain_idx.
DELETE FROM mem.outcomes o WHERE o.org_id = :org_id AND o.brain_id = :brain_id AND o.subject_id = ANY (CAST(:ids AS uuid[]))

-- name: turns_of_memory
-- Turns that a memory rests on and no other memory does: through its fragments, or through what was learned. Index: derivations_memory_idx.
WITH mine AS (
  SELECT f.turn_id AS id
    FROM mem.memory_fragments l JOIN mem.fragments f ON f.org_id = l.org_id AND f.id = l.fragment_id
   WHERE l.org_id = :org_id AND l.memory_id = :memory_id AND f.turn_id IS NOT NULL
   UNION
  SELECT unnest(d.turn_ids) FROM mem.derivations d WHERE d.org_id = :org_id AND d.memory_id = :memory_id
)
SELECT x.id,
       (EXISTS (SELECT 1 FROM mem.fragments f JOIN mem.memory_fragments l ON l.org_id = f.org_id AND l.fragment_id = f.id
                 WHERE f.org_id = :org_id AND f.turn_id = x.id AND l.memory_id <> :memory_id)) AS shared
  FROM mine x
  JOIN mem.turns t ON t.org_id = :org_id AND t.id = x.id AND t.brain_id = :brain_id
 ORDER BY x.id

-- name: memories_of_fragments
-- Memories that came from fragments of these episodes, or of turns of this session, and whether from nothing else. Index: fragments_episode_idx.
WITH gone AS (
  SELECT f.id FROM mem.fragments f
   WHERE f.org_id = :org_id AND f.brain_id = :brain_id
     AND (f.episode_id = CAST(:episode_id AS uuid)
          OR f.turn_id IN (SELECT t.id FROM mem.turns t WHERE t.org_id = :org_id AND t.session_id = CAST(:session_id AS uuid)))
), told AS (
  SELECT DISTINCT l.memory_id AS id FROM mem.memory_fragments l JOIN gone g ON g.id = l.fragment_id WHERE l.org_id = :org_id
   UNION
  SELECT d.memory_id FROM mem.derivations d JOIN mem.snapshots n ON n.org_id = d.org_id AND n.id = d.snapshot_id
   WHERE d.org_id = :org_id AND n.session_id = CAST(:session_id AS uuid)
)
SELECT x.id,
       NOT EXISTS (SELECT 1 FROM mem.memory_fragments l
                    WHERE l.org_id = :org_id AND l.memory_id = x.id AND l.fragment_id NOT IN (SELECT g.id FROM gone g)) AS whole
  FROM told x
  JOIN mem.memories m ON m.org_id = :org_id AND m.id = x.id AND m.status <> 'deleted'
 ORDER BY x.id

-- name: fragments_of_source
-- Fragments of an episode, or of the turns of a session. Index: fragments_episode_idx, fragments_turn_idx.
SELECT f.id
  FROM mem.fragments f
 WHERE f.org_id = :org_id AND f.brain_id = :brain_id
   AND (f.episode_id = CAST(:episode_id AS uuid)
        OR f.turn_id IN (SELECT t.id FROM mem.turns t WHERE t.org_id = :org_id AND t.session_id = CAST(:session_id AS uuid)))
 ORDER BY f.id

-- name: turns_of_session
-- Turns of a session that still say something. Index: turns_session_idx.
SELECT t.id FROM mem.turns t
 WHERE t.org_id = :org_id AND t.brain_id = :brain_id AND t.session_id = CAST(:session_id AS uuid)
   AND NOT (t.text = CAST(:mark AS text) AND t.speaker IS NULL AND t.speaker_id IS NULL AND t.attachments = '[]')
 ORDER BY t.id

-- name: delete_fragments
-- Fragments that go, and episodes that are left empty with the next statement. Index: fragments_pk.
DELETE FROM mem.fragments f WHERE f.org_id = :org_id AND f.brain_id = :brain_id AND f.id = ANY (CAST(:ids AS uuid[])) RETURNING f.episode_id

-- name: delete_empty_episodes
-- Episodes without a fragment. Index: episodes_pk, fragments_episode_idx.
DELETE FROM mem.episodes e
 WHERE e.org_id = :org_id AND e.brain_id = :brain_id AND e.id = ANY (CAST(:ids AS uuid[]))
   AND NOT EXISTS (SELECT 1 FROM mem.fragments f WHERE f.org_id = :org_id AND f.episode_id = e.id)

-- name: find_questions
-- Ids of stored questions of the current org, which the function binds: asked by, showing, about or naming what is erased.
SELECT q.question_id
  FROM mem.find_questions(CAST(:org_id AS uuid), CAST(:ids AS uuid[]), CAST(:since AS timestamptz), CAST(:pattern AS text),
                          CAST(:after AS uuid), CAST(:most AS integer)) q

-- name: delete_questions
-- Deletes stored questions of the current org, which the function binds.
SELECT mem.delete_questions(CAST(:org_id AS uuid), CAST(:ids AS uuid[])) AS gone

-- name: erase_people
-- Takes subjects out of the directory of the current org, which the function binds; rows by table.
SELECT mem.erase_people(CAST(:org_id AS uuid), CAST(:ids AS uuid[]), CAST(:homes AS uuid[])) AS counts

-- name: set_brain_name
-- Another name for a brain of the current org, which the function binds.
SELECT mem.set_brain_name(CAST(:org_id AS uuid), CAST(:brain_id AS uuid), CAST(:named AS text))

-- name: brain_of
-- The brain of a memory, session or source of the current org, which the function binds.
SELECT mem.brain_of(CAST(:what AS text), CAST(:object_id AS uuid)) AS brain_id WHERE CAST(:org_id AS uuid) = mem.current_org()
