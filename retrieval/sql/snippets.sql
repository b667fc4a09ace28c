-- snippet: servable
-- What a current row of memory_index, called i, has to be: active, not held, valid, and what the question is narrowed to.
i.status = 'active'
     AND NOT i.held
     AND (i.expires_at IS NULL OR i.expires_at > :now)
     AND (i.valid_from IS NULL OR i.valid_from <= :valid_at)
     AND (i.valid_to IS NULL OR i.valid_to > :valid_at)
     AND (CAST(:kinds AS text[]) IS NULL OR i.kind = ANY (CAST(:kinds AS text[])))
     AND (CAST(:about AS uuid[]) IS NULL OR i.about && CAST(:about AS uuid[]))
     AND (CAST(:said_by AS uuid[]) IS NULL OR i.said_by = ANY (CAST(:said_by AS uuid[])))
     AND (CAST(:topic AS text) IS NULL OR i.topic = CAST(:topic AS text) OR starts_with(i.topic, CAST(:topic AS text) || '/'))
     AND (CAST(:tags AS text[]) IS NULL OR i.tags @> CAST(:tags AS text[]))
     AND (CAST(:facets AS text[]) IS NULL OR i.facets @> CAST(:facets AS text[]))
     AND (CAST(:created_from AS timestamptz) IS NULL OR i.created_at >= CAST(:created_from AS timestamptz))
     AND (CAST(:created_to AS timestamptz) IS NULL OR i.created_at < CAST(:created_to AS timestamptz))

-- snippet: servable_version
-- What a superseded version, called v, has to be beside its current row, called i: today's holds and expiry apply to the past. When a version
-- stopped being true or known stands in the statements.
i.status = 'active'
     AND NOT i.held
     AND (i.expires_at IS NULL OR i.expires_at > :now)
     AND (v.expires_at IS NULL OR v.expires_at > :now)
     AND (v.valid_from IS NULL OR v.valid_from <= :valid_at)
     AND (CAST(:kinds AS text[]) IS NULL OR v.kind = ANY (CAST(:kinds AS text[])))
     AND (CAST(:about AS uuid[]) IS NULL OR v.about && CAST(:about AS uuid[]))
     AND (CAST(:said_by AS uuid[]) IS NULL OR v.said_by = ANY (CAST(:said_by AS uuid[])))
     AND (CAST(:topic AS text) IS NULL OR v.topic = CAST(:topic AS text) OR starts_with(v.topic, CAST(:topic AS text) || '/'))
     AND (CAST(:tags AS text[]) IS NULL OR v.tags @> CAST(:tags AS text[]))
     AND (CAST(:facets AS text[]) IS NULL OR v.facets @> CAST(:facets AS text[]))
     AND (CAST(:created_from AS timestamptz) IS NULL OR v.created_at >= CAST(:created_from AS timestamptz))
     AND (CAST(:created_to AS timestamptz) IS NULL OR v.created_at < CAST(:created_to AS timestamptz))

-- snippet: blended
-- Memories by the similarity of their vectors in `scoped`, the seeds first. Of a memory without a context vector the text counts alone.
SELECT x.memory_id, x.kind, 0 AS version,
       CASE WHEN x.context IS NULL THEN x.text
            WHEN x.text IS NULL THEN x.context
            ELSE (1 - :context_share) * x.text + :context_share * x.context END AS similarity
  FROM (
    SELECT s.memory_id, s.kind,
           max(s.similarity) FILTER (WHERE s.field = 'text') AS text, max(s.similarity) FILTER (WHERE s.field = 'context') AS context
      FROM scoped s
     GROUP BY s.memory_id, s.kind
  ) x
 ORDER BY x.memory_id = ANY (CAST(:seeds AS uuid[])) DESC, similarity DESC, x.memory_id
 LIMIT :limit
