-- name: load_credential
-- A key, the subject that its request is made for, what that subject reaches, and what the key looks into: all that a request needs to know
-- of who asks, in one round trip. Indexes: api_keys_pk, subjects_pk, brain_access_pk, policies_pk, looks_key_idx.
SELECT k.org_id, k.id, k.subject_id, k.writer_label, k.secret_sha256, k.max_role, k.capabilities, k.brains, k.act_as_subjects,
       k.act_as_brains, k.trust, k.created_at, k.created_by, k.expires_at, k.revoked_at,
       k.reason, k.requests_per_minute, k.last_used_at, k.replaced_by,
       s.kind AS acting_kind, s.home_brain_id AS acting_home,
       (SELECT array_agg(a.brain_id ORDER BY a.brain_id, a.role) FROM mem.brain_access a
         WHERE a.org_id = :org_id AND a.subject_id IN (:acting_id, :org_id)) AS reached,
       (SELECT array_agg(a.role ORDER BY a.brain_id, a.role) FROM mem.brain_access a
         WHERE a.org_id = :org_id AND a.subject_id IN (:acting_id, :org_id)) AS roles,
       (SELECT max(p.version) FROM mem.policies p WHERE p.org_id = :org_id) AS policy_version,
       (SELECT jsonb_agg(jsonb_build_array(l.id, l.brain_id, l.ends_at) ORDER BY l.id) FROM mem.looks l
         WHERE l.org_id = :org_id AND l.key_id = :key_id AND l.ends_at > now() AND l.ended_at IS NULL) AS looks
  FROM mem.api_keys k
  LEFT JOIN mem.subjects s ON s.org_id = :org_id AND s.id = :acting_id
 WHERE k.org_id = :org_id AND k.id = :key_id
