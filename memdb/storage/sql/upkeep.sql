-- name: list_brains_with_deltas
-- Brains of an org with word counts that are not folded yet; run as memdb_search, because a job without a brain sees none as memdb_app.
-- Index: term_deltas_pk.
SELECT DISTINCT d.brain_id FROM mem.term_deltas d WHERE d.org_id = :org_id ORDER BY d.brain_id LIMIT :limit

-- name: lock_deltas
-- The oldest deltas of a brain, so that a word is added before it is taken away. Index: term_deltas_pk.
SELECT d.id
  FROM mem.term_deltas d
 WHERE d.org_id = :org_id AND d.brain_id = :brain_id
 ORDER BY d.id
 LIMIT :limit
   FOR UPDATE SKIP LOCKED

-- name: fold_terms
-- Adds the document counts of some deltas per term, terms in sorted order, and answers with those that no document holds any more.
-- Index: term_stats_pk.
WITH kept AS (
  INSERT INTO mem.term_stats AS s (org_id, brain_id, term, language, documents)
  SELECT CAST(:org_id AS uuid), CAST(:brain_id AS uuid), u.term, d.language, sum(d.documents)
    FROM mem.term_deltas d
   CROSS JOIN LATERAL unnest(d.terms) AS u (term)
   WHERE d.org_id = :org_id AND d.brain_id = :brain_id AND d.id = ANY (CAST(:ids AS uuid[]))
   GROUP BY u.term, d.language
  HAVING sum(d.documents) <> 0
   ORDER BY u.term, d.language
  ON CONFLICT (org_id, brain_id, term, language) DO UPDATE SET documents = s.documents + excluded.documents
  RETURNING s.term, s.language, s.documents
)
SELECT k.term, k.language FROM kept k WHERE k.documents <= 0

-- name: drop_spent_terms
-- Removes terms that no document of a brain holds any more. Index: term_stats_pk.
DELETE FROM mem.term_stats s
 USING unnest(CAST(:terms AS text[]), CAST(:languages AS text[])) AS spent (term, language)
 WHERE s.org_id = :org_id AND s.brain_id = :brain_id AND s.term = spent.term AND s.language = spent.language AND s.documents <= 0

-- name: fold_documents
-- Adds the documents and words of some deltas per language. Index: corpus_stats_pk.
INSERT INTO mem.corpus_stats AS c (org_id, brain_id, language, documents, words)
SELECT CAST(:org_id AS uuid), CAST(:brain_id AS uuid), d.language, sum(d.documents), sum(d.words)
  FROM mem.term_deltas d
 WHERE d.org_id = :org_id AND d.brain_id = :brain_id AND d.id = ANY (CAST(:ids AS uuid[]))
 GROUP BY d.language
 ORDER BY d.language
ON CONFLICT (org_id, brain_id, language) DO UPDATE SET documents = c.documents + excluded.documents, words = c.words + excluded.words

-- name: drop_spent_languages
-- Removes languages in which a brain has no document any more. Index: corpus_stats_pk.
DELETE FROM mem.corpus_stats c WHERE c.org_id = :org_id AND c.brain_id = :brain_id AND c.documents <= 0

-- name: drop_deltas
-- Removes deltas that were folded. Index: term_deltas_pk.
DELETE FROM mem.term_deltas d WHERE d.org_id = :org_id AND d.brain_id = :brain_id AND d.id = ANY (CAST(:ids AS uuid[]))

-- name: list_brains_with_outcomes
-- Brains of an org with outcomes that are not counted as they are; run as memdb_search, as list_brains_with_deltas. Index:
-- outcomes_uncounted_idx.
SELECT DISTINCT o.brain_id FROM mem.outcomes o
 WHERE o.org_id = :org_id AND o.outcome IS DISTINCT FROM o.counted_as
 ORDER BY o.brain_id
 LIMIT :limit

-- name: lock_outcomes
-- Outcomes of a brain that are not counted as they are, locked until the transaction ends. Index: outcomes_uncounted_idx.
SELECT o.recall_id, o.memory_id, o.key_id, o.outcome, o.counted_as
  FROM mem.outcomes o
 WHERE o.org_id = :org_id AND o.brain_id = :brain_id AND o.outcome IS DISTINCT FROM o.counted_as
 LIMIT :limit
   FOR UPDATE SKIP LOCKED

-- name: lock_counters
-- Counters of memories of one brain that nobody else writes to at this moment. Index: memory_stats_pk.
SELECT s.memory_id
  FROM mem.memory_stats s
 WHERE s.org_id = :org_id AND s.brain_id = :brain_id AND s.memory_id = ANY (CAST(:ids AS uuid[]))
   FOR UPDATE SKIP LOCKED

-- name: add_outcomes
-- Moves the counters of memories by what changed, one element of each list for a memory. Index: memory_stats_pk.
UPDATE mem.memory_stats s
   SET used = s.used + x.used, helpful = s.helpful + x.helpful, not_helpful = s.not_helpful + x.not_helpful, stale = s.stale + x.stale,
       wrong = s.wrong + x.wrong, harmful = s.harmful + x.harmful
  FROM unnest(CAST(:ids AS uuid[]), CAST(:used AS integer[]), CAST(:helpful AS integer[]), CAST(:not_helpful AS integer[]),
              CAST(:stale AS integer[]), CAST(:wrong AS integer[]), CAST(:harmful AS integer[]))
       AS x (memory_id, used, helpful, not_helpful, stale, wrong, harmful)
 WHERE s.org_id = :org_id AND s.brain_id = :brain_id AND s.memory_id = x.memory_id

-- name: mark_counted
-- Notes that locked outcomes stand in the counters as they are. Index: outcomes_pk.
UPDATE mem.outcomes o
   SET counted_as = o.outcome
  FROM unnest(CAST(:recalls AS uuid[]), CAST(:memories AS uuid[]), CAST(:keys AS text[])) AS x (recall_id, memory_id, key_id)
 WHERE o.org_id = :org_id AND o.brain_id = :brain_id
   AND o.recall_id = x.recall_id AND o.memory_id = x.memory_id AND o.key_id = x.key_id

-- name: claim_pending
-- Takes memories that wait for a vector, longest due first, and sets when they are due again should nobody finish them: twice as late each
-- time. Index: embedding_pending_due_idx.
WITH due AS (
  SELECT p.memory_id
    FROM mem.embedding_pending p
   WHERE p.org_id = :org_id AND p.space = :space AND p.next_try_at <= :now
   ORDER BY p.next_try_at, p.memory_id
   LIMIT :limit
     FOR UPDATE SKIP LOCKED
)
UPDATE mem.embedding_pending p
   SET attempts = p.attempts + 1,
       next_try_at = CAST(:now AS timestamptz) + make_interval(secs => least(:wait_max_s, :wait_min_s * power(2, least(p.attempts, 20))))
  FROM due
 WHERE p.org_id = :org_id AND p.space = :space AND p.memory_id = due.memory_id
RETURNING p.memory_id, p.brain_id

-- name: list_unembedded
-- Texts of memories of one brain with the version that they belong to, what was said last before each in its context, and who said it;
-- deleted ones are absent. Indexes: memories_pk, memory_index_pk, fragments_pk, memory_fragments_pk.
SELECT m.id, m.version, m.content, own.speaker, last.id IS NOT NULL AS has_context, last.speaker AS last_speaker, last.text AS last_text
  FROM mem.memories m
  JOIN mem.memory_index i ON i.org_id = m.org_id AND i.memory_id = m.id
  LEFT JOIN LATERAL (
    SELECT f.id, f.speaker, f.text
      FROM mem.fragments f
     WHERE f.org_id = :org_id AND f.id = ANY (i.context_fragments)
     ORDER BY f.position DESC, f.id DESC
     LIMIT 1
  ) last ON true
  LEFT JOIN LATERAL (
    SELECT f.speaker
      FROM mem.memory_fragments s
      JOIN mem.fragments f ON f.org_id = s.org_id AND f.id = s.fragment_id
     WHERE s.org_id = :org_id AND s.memory_id = m.id AND f.org_id = :org_id
     ORDER BY s.created_at, f.id
     LIMIT 1
  ) own ON true
 WHERE m.org_id = :org_id AND m.brain_id = :brain_id AND m.id = ANY (CAST(:ids AS uuid[])) AND m.status <> 'deleted'
 ORDER BY m.id

-- name: lock_versions
-- The present versions of memories of one brain, locked with their index rows, in id order, until the transaction ends: then their texts and
-- contexts stay as they are. Indexes: memories_pk, memory_index_pk.
SELECT m.id, m.version
  FROM mem.memories m
  JOIN mem.memory_index i ON i.org_id = m.org_id AND i.memory_id = m.id
 WHERE m.org_id = :org_id AND m.brain_id = :brain_id AND m.id = ANY (CAST(:ids AS uuid[])) AND m.status <> 'deleted'
 ORDER BY m.id
   FOR UPDATE

-- name: mark_cut
-- Notes that part of a memory's text is not in its vector. Index: memories_pk.
UPDATE mem.memories m SET text_cut = true
 WHERE m.org_id = :org_id AND m.brain_id = :brain_id AND m.id = ANY (CAST(:ids AS uuid[])) AND NOT m.text_cut

-- name: drop_pending
-- Ends the waiting of memories that have a vector or are gone. Index: embedding_pending_pk.
DELETE FROM mem.embedding_pending p WHERE p.org_id = :org_id AND p.space = :space AND p.memory_id = ANY (CAST(:ids AS uuid[]))

-- name: release_pending
-- Makes memories due again at once: their text changed while it was embedded. Index: embedding_pending_pk.
UPDATE mem.embedding_pending p SET attempts = 0, next_try_at = :now
 WHERE p.org_id = :org_id AND p.space = :space AND p.memory_id = ANY (CAST(:ids AS uuid[]))

-- name: forget_replays
-- Removes answers that may not be replayed any more. Index: idempotency_keys_age_idx.
DELETE FROM mem.idempotency_keys i WHERE i.org_id = :org_id AND i.created_at <= :before

-- name: list_expired
-- Working memories whose time is long over; run as memdb_search, as list_brains_with_deltas. Index: none; read a few times an hour.
SELECT i.brain_id, i.memory_id
  FROM mem.memory_index i
 WHERE i.org_id = :org_id AND i.kind = 'working' AND i.expires_at <= :before
 ORDER BY i.brain_id, i.memory_id
 LIMIT :limit

-- name: list_newest
-- The newest memories of an org; run as memdb_search, as list_brains_with_deltas. Index: memory_index_pk, backwards.
SELECT i.brain_id, i.memory_id FROM mem.memory_index i WHERE i.org_id = :org_id ORDER BY i.memory_id DESC LIMIT :limit
