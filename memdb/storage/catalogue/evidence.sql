-- name: list_chain
-- Places of the log of an org behind one, each with its event, whose columns are NULL where it is gone.
-- Index: audit_chain_pk, audit_events_pk.
SELECT c.position, c.event_id, c.link, c.mac_key_id AS chain_key_id, c.sealed_at,
       c.org_id, e.id, e.at, e.action, e.actor_subject, e.actor_key, e.acting_for, e.brain_id, e.object_kind, e.object_id, e.detail, e.mac_key_id,
       e.digest, e.request_id, e.commitment
  FROM mem.audit_chain c
  LEFT JOIN mem.audit_events e ON e.org_id = c.org_id AND e.id = c.event_id
 WHERE c.org_id = %(org_id)s AND c.position > %(after)s
 ORDER BY c.position
 LIMIT %(limit)s

-- name: list_waiting
-- Events of an org that wait for their place, in the order in which they were written; their columns are NULL where the event is gone.
SELECT p.seq, p.event_id, p.noted_at,
       p.org_id, e.id, e.at, e.action, e.actor_subject, e.actor_key, e.acting_for, e.brain_id, e.object_kind, e.object_id, e.detail, e.mac_key_id,
       e.digest, e.request_id, e.commitment
  FROM mem.audit_pending p
  LEFT JOIN mem.audit_events e ON e.org_id = p.org_id AND e.id = p.event_id
 WHERE p.org_id = %(org_id)s AND p.seq > %(after)s
 ORDER BY p.seq
 LIMIT %(limit)s

-- name: last_commitments
-- What the last event that tells of the state of each memory vouches for. What waits is later than what has a place, and an event that has
-- neither counts for nothing. Index: audit_events_object_idx.
SELECT DISTINCT ON (e.object_id) e.object_id, e.commitment
  FROM mem.audit_events e
  LEFT JOIN mem.audit_chain c ON c.org_id = e.org_id AND c.event_id = e.id
  LEFT JOIN mem.audit_pending p ON p.org_id = e.org_id AND p.event_id = e.id
 WHERE e.org_id = %(org_id)s AND e.object_id = ANY(%(ids)s) AND e.object_kind = 'memory' AND e.commitment IS NOT NULL
   AND (c.position IS NOT NULL OR p.seq IS NOT NULL)
 ORDER BY e.object_id, c.position DESC NULLS FIRST, p.seq DESC

-- name: list_versions
-- Older versions of memories, with the words that they are found by as Postgres writes them and what they are filtered by; NULL: there is no
-- index row.
SELECT v.*, i.words::text AS words, i.word_count, i.words_mac, i.brain_id AS at_brain_id, i.kind AS at_kind, i.topic AS at_topic,
       i.about AS at_about, i.said_by AS at_said_by, i.tags AS at_tags, i.language AS at_language
  FROM mem.memory_versions v
  LEFT JOIN mem.memory_version_index i ON i.org_id = v.org_id AND i.memory_id = v.memory_id AND i.version = v.version
 WHERE v.org_id = %(org_id)s AND v.memory_id = ANY(%(ids)s)
 ORDER BY v.memory_id, v.version
