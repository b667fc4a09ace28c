-- name: like_by_hand
-- What somebody would write to find a text in the notes of a subject: no second look, no order, no seal.
SELECT m.id, m.content
  FROM mem.memories m
 WHERE m.org_id = :org_id
   AND m.brain_id = ANY (CAST(:brain_ids AS uuid[]))
   AND m.about && CAST(:member_ids AS uuid[])
   AND m.content LIKE :pattern
 LIMIT :limit
