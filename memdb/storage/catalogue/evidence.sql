-- name: list_chain
-- Places of the log of an org behind one, each with its event, whose columns are NULL where it is gone.
-- Index: audit_chain_pk, audit_events_pk.
SELECT c.position, c.event_id, c.link, c.mac_key_id AS chain_key_id, c.sealed_at,
       e.id, e.at, e.action, e.actor_subject, e.actor_key, e.acting_for, e.brain_id, e.object_kind, e.object_id, e.detail, e.mac_key_id,
       e.digest, e.request_id, e.commitment
  FROM mem.audit_chain c
  LEFT JOIN mem.audit_events e ON e.org_id = c.org_id AND e.id = c.event_id
 WHERE c.org_id = %(org_id)s AND c.position > %(after)s
 ORDER BY c.position
 LIMIT %(limit)s;

-- name: list_waiting
-- Events of an org that wait for their place, in the order in which they were written; their columns are NULL where the event is gone.
SELECT p.seq, p.event_id, p.noted_at,
       e.id, e.at, e.action, e.actor_subject, e.actor_key, e.acting_for, e.brain_id, e.object_kind, e.object_id, e.detail, e.mac_key_id,
       e.digest, e.request_id, e.commitment
  FROM mem.audit_pending p
  LEFT JOIN mem.audit_events e ON e.org_id = p.org_id AND e.id = p.event_id
 WHERE p.org_id = %(org_id)s AND p.seq > %(after)s
 ORDER BY p.seq
 LIMIT %(limit)s;
