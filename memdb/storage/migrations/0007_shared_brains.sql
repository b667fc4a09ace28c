-- Shared brains and people in rooms: who may share out of a brain, topics and units, conflicts, merged subjects, where labels were seen, and
-- statements whose subject is not known yet: see schema.sql.
ALTER TABLE mem.brains ADD COLUMN sharing text NOT NULL DEFAULT 'subjects';
ALTER TABLE mem.brains ADD CONSTRAINT brains_sharing_ck CHECK (sharing IN ('subjects', 'nobody'));
ALTER TABLE mem.hold_actions DROP CONSTRAINT hold_actions_kind_ck;
ALTER TABLE mem.hold_actions ADD CONSTRAINT hold_actions_kind_ck CHECK (kind IN ('write', 'quarantine', 'unattributed'));

CREATE TABLE mem.subject_redirects (
  org_id uuid NOT NULL,
  subject_id uuid NOT NULL,
  into_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  created_by uuid,
  CONSTRAINT subject_redirects_pk PRIMARY KEY (org_id, subject_id),
  CONSTRAINT subject_redirects_self_ck CHECK (subject_id <> into_id)
);

CREATE TABLE mem.alias_sightings (
  org_id uuid NOT NULL,
  folded text NOT NULL,
  subject_id uuid NOT NULL,
  place text NOT NULL,
  brain_id uuid,
  first_seen_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  CONSTRAINT alias_sightings_pk PRIMARY KEY (org_id, folded, subject_id, place)
);

CREATE TABLE mem.topics (
  org_id uuid NOT NULL,
  brain_id uuid NOT NULL,
  folded text COLLATE "C" NOT NULL,
  label text NOT NULL,
  words text[] NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT topics_pk PRIMARY KEY (org_id, brain_id, folded)
);

CREATE TABLE mem.units (
  org_id uuid NOT NULL,
  brain_id uuid NOT NULL,
  topic text COLLATE "C" NOT NULL,
  memory_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT units_pk PRIMARY KEY (org_id, brain_id, topic),
  CONSTRAINT units_memory_uq UNIQUE (org_id, memory_id)
);

CREATE TABLE mem.conflicts (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  brain_id uuid NOT NULL,
  memory_id uuid NOT NULL,
  version integer NOT NULL,
  other_id uuid NOT NULL,
  other_version integer NOT NULL,
  reason text NOT NULL,
  note text,
  raised_at timestamptz NOT NULL,
  raised_by uuid NOT NULL,
  raised_key text NOT NULL,
  resolved_at timestamptz,
  resolved_by uuid,
  resolved_key text,
  resolution text,
  CONSTRAINT conflicts_pk PRIMARY KEY (org_id, id),
  CONSTRAINT conflicts_reason_ck CHECK (reason IN ('base_version', 'window', 'reported')),
  CONSTRAINT conflicts_resolution_ck CHECK (resolution IN ('kept', 'restored', 'merged', 'both', 'gone')),
  CONSTRAINT conflicts_resolved_ck CHECK ((resolved_at IS NULL) = (resolution IS NULL)),
  CONSTRAINT conflicts_sides_ck CHECK (memory_id <> other_id OR version <> other_version)
);

ALTER TABLE mem.subject_redirects ADD CONSTRAINT subject_redirects_subject_fk
  FOREIGN KEY (org_id, subject_id) REFERENCES mem.subjects (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.subject_redirects ADD CONSTRAINT subject_redirects_into_fk
  FOREIGN KEY (org_id, into_id) REFERENCES mem.subjects (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.alias_sightings ADD CONSTRAINT alias_sightings_alias_fk
  FOREIGN KEY (org_id, folded, subject_id) REFERENCES mem.subject_aliases (org_id, folded, subject_id) ON DELETE CASCADE;
ALTER TABLE mem.topics ADD CONSTRAINT topics_brain_fk FOREIGN KEY (org_id, brain_id) REFERENCES mem.brains (org_id, id);
ALTER TABLE mem.units ADD CONSTRAINT units_memory_fk
  FOREIGN KEY (org_id, memory_id) REFERENCES mem.memories (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.conflicts ADD CONSTRAINT conflicts_memory_fk
  FOREIGN KEY (org_id, memory_id) REFERENCES mem.memories (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.conflicts ADD CONSTRAINT conflicts_other_fk
  FOREIGN KEY (org_id, other_id) REFERENCES mem.memories (org_id, id) ON DELETE CASCADE;

CREATE INDEX subject_redirects_into_idx ON mem.subject_redirects (org_id, into_id);
CREATE INDEX alias_sightings_subject_idx ON mem.alias_sightings (org_id, subject_id);
CREATE INDEX topics_words_idx ON mem.topics USING gin (words);
CREATE INDEX memory_index_front_idx ON mem.memory_index (org_id, brain_id) WHERE placement = 'front';
CREATE INDEX conflicts_open_idx ON mem.conflicts (org_id, memory_id) WHERE resolved_at IS NULL;
CREATE INDEX conflicts_other_idx ON mem.conflicts (org_id, other_id);
CREATE INDEX holds_brain_idx ON mem.holds (org_id, brain_id, memory_id);

-- Topics that are in use; of several spellings the one that was there first.
INSERT INTO mem.topics (org_id, brain_id, folded, label, words, created_at)
SELECT DISTINCT ON (i.org_id, i.brain_id, i.topic) i.org_id, i.brain_id, i.topic, coalesce(m.topic, i.topic),
       array_remove(regexp_split_to_array(i.topic, '[][ /_.,:;#()+|&-]+'), ''), i.created_at
  FROM mem.memory_index i
  JOIN mem.memories m ON m.org_id = i.org_id AND m.id = i.memory_id
 WHERE i.topic IS NOT NULL
 ORDER BY i.org_id, i.brain_id, i.topic, i.memory_id;
ALTER TABLE mem.memory_index ADD CONSTRAINT memory_index_topic_fk
  FOREIGN KEY (org_id, brain_id, topic) REFERENCES mem.topics (org_id, brain_id, folded);

-- The merged identities of subjects: one row for each subject of the group that one of `ids` belongs to, with that id.
CREATE FUNCTION mem.expand_subjects(org uuid, ids uuid[]) RETURNS TABLE (asked uuid, root uuid, member uuid)
  LANGUAGE sql STABLE
  AS $$
    WITH RECURSIVE up AS (
      SELECT x.id AS asked, x.id AS current, 0 AS depth FROM unnest(ids) AS x (id)
       UNION ALL
      SELECT u.asked, r.into_id, u.depth + 1
        FROM up u JOIN mem.subject_redirects r ON r.org_id = org AND r.subject_id = u.current
       WHERE u.depth < 64
    ), roots AS (
      SELECT DISTINCT ON (u.asked) u.asked, u.current AS root FROM up u ORDER BY u.asked, u.depth DESC
    ), down AS (
      SELECT DISTINCT t.root, t.root AS member, 0 AS depth FROM roots t
       UNION ALL
      SELECT d.root, r.subject_id, d.depth + 1
        FROM down d JOIN mem.subject_redirects r ON r.org_id = org AND r.into_id = d.member
       WHERE d.depth < 64
    )
    SELECT t.asked, t.root, d.member FROM roots t JOIN down d ON d.root = t.root
  $$;

SELECT mem.guard_org('subject_redirects', 'SELECT, INSERT, DELETE');
ALTER TABLE mem.alias_sightings ENABLE ROW LEVEL SECURITY;
CREATE POLICY app_read ON mem.alias_sightings FOR SELECT TO memdb_app
  USING (org_id = mem.current_org() AND (brain_id IS NULL OR mem.can_read(brain_id)));
CREATE POLICY app_insert ON mem.alias_sightings FOR INSERT TO memdb_app
  WITH CHECK (org_id = mem.current_org() AND (brain_id IS NULL OR mem.can_read(brain_id)));
CREATE POLICY app_update ON mem.alias_sightings FOR UPDATE TO memdb_app
  USING (org_id = mem.current_org() AND (brain_id IS NULL OR mem.can_read(brain_id)))
  WITH CHECK (org_id = mem.current_org() AND (brain_id IS NULL OR mem.can_read(brain_id)));
GRANT SELECT, INSERT, UPDATE ON mem.alias_sightings TO memdb_app;
SELECT mem.guard_content('topics');
SELECT mem.guard_content('units');
SELECT mem.guard_content('conflicts');
GRANT SELECT ON mem.topics, mem.units TO memdb_search;
CREATE POLICY search_all ON mem.topics FOR SELECT TO memdb_search USING (true);
CREATE POLICY search_all ON mem.units FOR SELECT TO memdb_search USING (true);
