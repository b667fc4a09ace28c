-- name: expand_subjects
-- Everybody who is one with each of these subjects, itself among them, and who stands for them. Indexes: subject_redirects_pk,
-- subject_redirects_into_idx.
SELECT x.asked, x.root, x.member
  FROM mem.expand_subjects(CAST(:org_id AS uuid), CAST(:ids AS uuid[])) x

-- name: person
-- The subject that stands for another, with all that are one with it; no row when there is none. Indexes: as above, subjects_pk.
SELECT s.id, s.kind, s.name, s.home_brain_id, s.created_at, x.members
  FROM (
    SELECT e.root, array_agg(e.member) AS members
      FROM mem.expand_subjects(CAST(:org_id AS uuid), ARRAY[CAST(:id AS uuid)]) e
     GROUP BY e.root
  ) x
  JOIN mem.subjects s ON s.id = x.root
 WHERE s.org_id = :org_id

-- name: subject_names
-- Names of subjects. Index: subjects_pk.
SELECT s.id, s.name
  FROM mem.subjects s
 WHERE s.org_id = :org_id AND s.id = ANY (CAST(:ids AS uuid[])) AND s.name IS NOT NULL
