-- name: list_unfinished_extractions
-- Extractions of an org in one state, unchanged since a moment, the longest first, those of held sessions left out; run as memdb_search,
-- because neither a job without a brain nor an admin sees the rows of a brain as memdb_app. Indexes: extractions_unfinished_idx,
-- session_holds_pk.
SELECT e.snapshot_id, e.handler, e.brain_id, e.session_id, e.state, e.run, e.attempts, e.failure, e.extractor, e.found, e.added, e.updated,
       e.reinforced, e.ended, e.refused, e.tokens_in, e.tokens_out, e.cost_micros, e.created_at, e.changed_at
  FROM mem.extractions e
 WHERE e.org_id = :org_id AND e.state = CAST(:state AS text) AND e.state <> 'done' AND e.changed_at <= :before
   AND NOT EXISTS (SELECT FROM mem.session_holds h WHERE h.org_id = :org_id AND h.session_id = e.session_id)
     AND (CAST(:after AS timestamptz) IS NULL OR (e.changed_at, e.snapshot_id) > (CAST(:after AS timestamptz), CAST(:after_id AS uuid)))
 ORDER BY e.changed_at, e.snapshot_id, e.handler
 LIMIT :limit

-- name: count_waiting_extractions
-- Extractions of an org that wait, by handler; run as memdb_search, as above. Index: extractions_unfinished_idx.
SELECT e.handler, count(*) AS extractions
  FROM mem.extractions e
 WHERE e.org_id = :org_id AND e.state = 'waiting'
 GROUP BY e.handler

-- name: count_unfinished_extractions
-- Extractions of every org that are not done, by state and handler, and since when the first of them has never been done; figures of the whole
-- server, as memdb_search. Index: extractions_unfinished_idx, which has only what is not done.
SELECT e.state, e.handler, count(*) AS extractions, min(e.created_at) FILTER (WHERE e.run = 1) AS since
  FROM mem.extractions e
 WHERE e.state <> 'done'
 GROUP BY e.state, e.handler

-- name: sum_extraction_tokens
-- Tokens of the extractions of an org that were worked on since a moment, of all their tries; run as memdb_search, as above.
-- Index: extractions_spent_idx.
SELECT coalesce(sum(e.tokens_in + e.tokens_out), 0) AS tokens
  FROM mem.extractions e
 WHERE e.org_id = :org_id AND e.changed_at > :since AND e.tokens_in > 0
