-- name: corpus
-- The brains in scope: documents and content words of them all (`term` NULL), and in how many documents each word of the question stands;
-- folded statistics plus the deltas not folded yet. Indexes: corpus_stats_pk, term_stats_pk, term_deltas_pk.
SELECT CAST(NULL AS text) AS term, coalesce(sum(x.documents), 0)::bigint AS documents, coalesce(sum(x.words), 0)::bigint AS words
  FROM (
    SELECT c.documents, c.words FROM mem.corpus_stats c
     WHERE c.org_id = :org_id AND c.brain_id = ANY (CAST(:brain_ids AS uuid[]))
    UNION ALL
    SELECT d.documents, d.words FROM mem.term_deltas d
     WHERE d.org_id = :org_id AND d.brain_id = ANY (CAST(:brain_ids AS uuid[]))
  ) x
 UNION ALL
SELECT x.term, sum(x.documents)::bigint, 0
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
-- context the text counts alone. The words that come back are those of the text. How often a lexeme stands in a field is read back from
-- ts_rank, which for n times is the sum of 1/i² up to n over pi²/6: unnesting the fields would take most of the time.
-- Words are added up in one order, so that equal memories have equal scores. OFFSET: otherwise ts_rank would be put in wherever its result is
-- used, and be run as often.
WITH hit AS MATERIALIZED (
  SELECT i.memory_id, i.kind, i.words, i.word_count, i.context, i.context_count
    FROM mem.memory_index i
   WHERE i.org_id = :org_id
     AND i.brain_id = ANY (CAST(:brain_ids AS uuid[]))
     AND (i.words @@ CAST(:words AS tsquery) OR i.context @@ CAST(:words AS tsquery))
     AND {servable}
   LIMIT :candidates
), asked AS MATERIALIZED (
  SELECT CAST(q.lexeme AS tsquery) AS lexeme, q.word, q.idf
    FROM unnest(CAST(:lexemes AS text[]), CAST(:word_of AS integer[]), CAST(:idfs AS double precision[])) AS q (lexeme, word, idf)
), scored AS (
  SELECT h.memory_id, min(h.kind) AS kind, q.word, bool_or(n.in_text > 0) AS in_text,
         (CASE WHEN h.context_count > 0 THEN 1 - :context_share ELSE 1 END)
         * max(q.idf * n.in_text * (:k1 + 1) / (n.in_text + :k1 * (1 - :b + :b * h.word_count / :average)))
         + :context_share
         * max(q.idf * n.in_context * (:k1 + 1)
               / (n.in_context + :k1 * (1 - :b + :b * h.context_count / coalesce((SELECT avg(nullif(c.context_count, 0)) FROM hit c), 1)))) AS score
    FROM hit h
    JOIN asked q ON h.words @@ q.lexeme OR h.context @@ q.lexeme
   CROSS JOIN LATERAL (
     SELECT round(1 / (1.64493406685 * (1 - ts_rank('{1,1,1,1}', h.words, q.lexeme))) - 0.5) AS in_text,
            CASE WHEN h.context_count > 0 THEN round(1 / (1.64493406685 * (1 - ts_rank('{1,1,1,1}', h.context, q.lexeme))) - 0.5) ELSE 0 END AS in_context
    OFFSET 0
   ) n
   GROUP BY h.memory_id, h.context_count, q.word
)
SELECT s.memory_id, min(s.kind) AS kind, 0 AS version, sum(s.score ORDER BY s.word) AS score, array_agg(s.word) FILTER (WHERE s.in_text) AS words
  FROM scored s
 GROUP BY s.memory_id
 ORDER BY score DESC, s.memory_id
 LIMIT :limit

-- name: lexical_past
-- The same over what was known or true at another time: current rows recorded by then, and superseded versions. Index:
-- memory_version_index_words_idx. There valid_to is when the next version took over, NULL when it only corrected. Without as_of, a version
-- counts until it was taken over from; with as_of, until the end that was known then, which the second filter reads from the version.
WITH hit AS MATERIALIZED (
  (
  SELECT i.memory_id, 0 AS version, i.kind, i.words, i.word_count
    FROM mem.memory_index i
   WHERE i.org_id = :org_id
     AND i.brain_id = ANY (CAST(:brain_ids AS uuid[]))
     AND i.words @@ CAST(:words AS tsquery)
     AND (CAST(:as_of AS timestamptz) IS NULL OR i.recorded_from <= CAST(:as_of AS timestamptz))
     AND {servable}
   LIMIT :candidates
  )
  UNION ALL
  (
  SELECT v.memory_id, v.version, v.kind, v.words, v.word_count
    FROM mem.memory_version_index v
    JOIN mem.memory_index i ON i.org_id = v.org_id AND i.memory_id = v.memory_id
   WHERE v.org_id = :org_id
     AND v.brain_id = ANY (CAST(:brain_ids AS uuid[]))
     AND i.org_id = :org_id
     AND i.brain_id = ANY (CAST(:brain_ids AS uuid[]))
     AND v.words @@ CAST(:words AS tsquery)
     AND (
       (CAST(:as_of AS timestamptz) IS NULL AND v.valid_to > :valid_at)
       OR (v.recorded_from <= CAST(:as_of AS timestamptz) AND v.recorded_to > CAST(:as_of AS timestamptz))
     )
     AND {servable_version}
   LIMIT :candidates
  )
), asked AS MATERIALIZED (
  SELECT CAST(q.lexeme AS tsquery) AS lexeme, q.word, q.idf
    FROM unnest(CAST(:lexemes AS text[]), CAST(:word_of AS integer[]), CAST(:idfs AS double precision[])) AS q (lexeme, word, idf)
), scored AS (
  SELECT h.memory_id, h.version, h.kind, q.word,
         max(q.idf * n.times * (:k1 + 1) / (n.times + :k1 * (1 - :b + :b * h.word_count / :average))) AS score
    FROM hit h
    JOIN asked q ON h.words @@ q.lexeme
   CROSS JOIN LATERAL (SELECT round(1 / (1.64493406685 * (1 - ts_rank('{1,1,1,1}', h.words, q.lexeme))) - 0.5) AS times) n
   GROUP BY h.memory_id, h.version, h.kind, q.word
)
SELECT s.memory_id, s.version, s.kind, sum(s.score ORDER BY s.word) AS score, array_agg(s.word) AS words
  FROM scored s
 GROUP BY s.memory_id, s.version, s.kind
 ORDER BY score DESC, s.memory_id, s.version
 LIMIT :limit
