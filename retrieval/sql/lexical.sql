-- name: corpus_size
-- Documents and content words of the brains in scope: folded statistics plus the deltas not folded yet. Index: corpus_stats_pk.
SELECT coalesce(sum(x.documents), 0)::bigint AS documents, coalesce(sum(x.words), 0)::bigint AS words
  FROM (
    SELECT c.documents, c.words FROM mem.corpus_stats c
     WHERE c.org_id = :org_id AND c.brain_id = ANY (CAST(:brain_ids AS uuid[]))
    UNION ALL
    SELECT d.documents, d.words FROM mem.term_deltas d
     WHERE d.org_id = :org_id AND d.brain_id = ANY (CAST(:brain_ids AS uuid[]))
  ) x

-- name: term_frequencies
-- In how many documents of the brains in scope each term stands. Index: term_stats_pk.
SELECT x.term, sum(x.documents)::bigint AS documents
  FROM (
    SELECT s.term, s.documents FROM mem.term_stats s
     WHERE s.org_id = :org_id AND s.brain_id = ANY (CAST(:brain_ids AS uuid[])) AND s.term = ANY (CAST(:terms AS text[]))
    UNION ALL
    SELECT u.term, d.documents FROM mem.term_deltas d CROSS JOIN LATERAL unnest(d.terms) AS u (term)
     WHERE d.org_id = :org_id AND d.brain_id = ANY (CAST(:brain_ids AS uuid[]))
       AND d.terms && CAST(:terms AS text[]) AND u.term = ANY (CAST(:terms AS text[]))
  ) x
 GROUP BY x.term

-- name: lexical
-- BM25 over the memories that hold one of the rarest terms, in their own text or in the context that they were said in. Indexes:
-- memory_index_words_idx, memory_index_context_idx. Filters stand before the cut, so that a cut never hides what a filter would keep.
-- Groups are query words; their lexemes are alternatives of which the best counts. The two fields are blended; of a memory without a
-- context the text counts alone. The words that come back are those of the text.
WITH hit AS MATERIALIZED (
  SELECT i.memory_id, i.words, i.word_count, i.context, i.context_count
    FROM mem.memory_index i
   WHERE i.org_id = :org_id
     AND i.brain_id = ANY (CAST(:brain_ids AS uuid[]))
     AND (i.words @@ CAST(:words AS tsquery) OR i.context @@ CAST(:words AS tsquery))
     AND i.status = 'active'
     AND NOT i.held
     AND (i.expires_at IS NULL OR i.expires_at > :now)
     AND (i.valid_from IS NULL OR i.valid_from <= :valid_at)
     AND (i.valid_to IS NULL OR i.valid_to > :valid_at)
     AND (CAST(:kinds AS text[]) IS NULL OR i.kind = ANY (CAST(:kinds AS text[])))
     AND (CAST(:about AS uuid[]) IS NULL OR i.about && CAST(:about AS uuid[]))
     AND (CAST(:said_by AS uuid) IS NULL OR i.said_by = CAST(:said_by AS uuid))
     AND (CAST(:topic AS text) IS NULL OR i.topic = CAST(:topic AS text) OR starts_with(i.topic, CAST(:topic AS text) || '/'))
     AND (CAST(:tags AS text[]) IS NULL OR i.tags @> CAST(:tags AS text[]))
     AND (CAST(:facets AS text[]) IS NULL OR i.facets @> CAST(:facets AS text[]))
     AND (CAST(:created_from AS timestamptz) IS NULL OR i.created_at >= CAST(:created_from AS timestamptz))
     AND (CAST(:created_to AS timestamptz) IS NULL OR i.created_at < CAST(:created_to AS timestamptz))
   LIMIT :candidates
), asked AS (
  SELECT q.lexeme, q.word, q.idf
    FROM unnest(CAST(:lexemes AS text[]), CAST(:word_of AS integer[]), CAST(:idfs AS double precision[])) AS q (lexeme, word, idf)
), scored AS (
  SELECT h.memory_id, q.word, true AS in_text,
         (CASE WHEN h.context_count > 0 THEN 1 - :context_share ELSE 1 END)
         * max(q.idf * cardinality(l.positions) * (:k1 + 1)
               / (cardinality(l.positions) + :k1 * (1 - :b + :b * h.word_count / :average))) AS score
    FROM hit h
   CROSS JOIN LATERAL unnest(h.words) AS l
    JOIN asked q ON q.lexeme = l.lexeme
   GROUP BY h.memory_id, h.context_count, q.word
   UNION ALL
  SELECT h.memory_id, q.word, false,
         :context_share * max(q.idf * cardinality(l.positions) * (:k1 + 1)
               / (cardinality(l.positions) + :k1 * (1 - :b + :b * h.context_count / a.average)))
    FROM hit h
   CROSS JOIN (SELECT avg(nullif(c.context_count, 0))::double precision AS average FROM hit c) a
   CROSS JOIN LATERAL unnest(h.context) AS l
    JOIN asked q ON q.lexeme = l.lexeme
   GROUP BY h.memory_id, q.word
)
SELECT s.memory_id, 0 AS version, sum(s.score) AS score, array_agg(s.word ORDER BY s.word) FILTER (WHERE s.in_text) AS words
  FROM scored s
 GROUP BY s.memory_id
 ORDER BY sum(s.score) DESC, s.memory_id
 LIMIT :limit

-- name: lexical_past
-- The same over what was known or true at another time: current rows recorded by then, and superseded versions. Index:
-- memory_version_index_words_idx. There valid_to is when the next version took over, NULL when it only corrected. Without as_of, a version
-- counts until it was taken over from; with as_of, until the end that was known then, which the second filter reads from the version.
WITH hit AS MATERIALIZED (
  (
  SELECT i.memory_id, 0 AS version, i.words, i.word_count
    FROM mem.memory_index i
   WHERE i.org_id = :org_id
     AND i.brain_id = ANY (CAST(:brain_ids AS uuid[]))
     AND i.words @@ CAST(:words AS tsquery)
     AND i.status = 'active'
     AND NOT i.held
     AND (i.expires_at IS NULL OR i.expires_at > :now)
     AND (CAST(:as_of AS timestamptz) IS NULL OR i.recorded_from <= CAST(:as_of AS timestamptz))
     AND (i.valid_from IS NULL OR i.valid_from <= :valid_at)
     AND (i.valid_to IS NULL OR i.valid_to > :valid_at)
     AND (CAST(:kinds AS text[]) IS NULL OR i.kind = ANY (CAST(:kinds AS text[])))
     AND (CAST(:about AS uuid[]) IS NULL OR i.about && CAST(:about AS uuid[]))
     AND (CAST(:said_by AS uuid) IS NULL OR i.said_by = CAST(:said_by AS uuid))
     AND (CAST(:topic AS text) IS NULL OR i.topic = CAST(:topic AS text) OR starts_with(i.topic, CAST(:topic AS text) || '/'))
     AND (CAST(:tags AS text[]) IS NULL OR i.tags @> CAST(:tags AS text[]))
     AND (CAST(:facets AS text[]) IS NULL OR i.facets @> CAST(:facets AS text[]))
     AND (CAST(:created_from AS timestamptz) IS NULL OR i.created_at >= CAST(:created_from AS timestamptz))
     AND (CAST(:created_to AS timestamptz) IS NULL OR i.created_at < CAST(:created_to AS timestamptz))
   LIMIT :candidates
  )
  UNION ALL
  (
  SELECT v.memory_id, v.version, v.words, v.word_count
    FROM mem.memory_version_index v
    JOIN mem.memory_index i ON i.org_id = v.org_id AND i.memory_id = v.memory_id
   WHERE v.org_id = :org_id
     AND v.brain_id = ANY (CAST(:brain_ids AS uuid[]))
     AND i.org_id = :org_id
     AND i.brain_id = ANY (CAST(:brain_ids AS uuid[]))
     AND i.status = 'active'
     AND NOT i.held
     AND (i.expires_at IS NULL OR i.expires_at > :now)
     AND v.words @@ CAST(:words AS tsquery)
     AND (
       (CAST(:as_of AS timestamptz) IS NULL AND v.valid_to > :valid_at)
       OR (v.recorded_from <= CAST(:as_of AS timestamptz) AND v.recorded_to > CAST(:as_of AS timestamptz))
     )
     AND (v.expires_at IS NULL OR v.expires_at > :now)
     AND (v.valid_from IS NULL OR v.valid_from <= :valid_at)
     AND (CAST(:kinds AS text[]) IS NULL OR v.kind = ANY (CAST(:kinds AS text[])))
     AND (CAST(:about AS uuid[]) IS NULL OR v.about && CAST(:about AS uuid[]))
     AND (CAST(:said_by AS uuid) IS NULL OR v.said_by = CAST(:said_by AS uuid))
     AND (CAST(:topic AS text) IS NULL OR v.topic = CAST(:topic AS text) OR starts_with(v.topic, CAST(:topic AS text) || '/'))
     AND (CAST(:tags AS text[]) IS NULL OR v.tags @> CAST(:tags AS text[]))
     AND (CAST(:facets AS text[]) IS NULL OR v.facets @> CAST(:facets AS text[]))
     AND (CAST(:created_from AS timestamptz) IS NULL OR v.created_at >= CAST(:created_from AS timestamptz))
     AND (CAST(:created_to AS timestamptz) IS NULL OR v.created_at < CAST(:created_to AS timestamptz))
   LIMIT :candidates
  )
), scored AS (
  SELECT h.memory_id, h.version, q.word,
         max(q.idf * cardinality(l.positions) * (:k1 + 1)
             / (cardinality(l.positions) + :k1 * (1 - :b + :b * h.word_count / :average))) AS score
    FROM hit h
   CROSS JOIN LATERAL unnest(h.words) AS l
    JOIN unnest(CAST(:lexemes AS text[]), CAST(:word_of AS integer[]), CAST(:idfs AS double precision[])) AS q (lexeme, word, idf)
      ON q.lexeme = l.lexeme
   GROUP BY h.memory_id, h.version, q.word
)
SELECT s.memory_id, s.version, sum(s.score) AS score, array_agg(s.word ORDER BY s.word) AS words
  FROM scored s
 GROUP BY s.memory_id, s.version
 ORDER BY sum(s.score) DESC, s.memory_id, s.version
 LIMIT :limit
