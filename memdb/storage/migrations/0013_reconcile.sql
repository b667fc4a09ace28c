-- What was decided of a write, which versions a fragment belongs to, what two people say differently: see schema.sql.
CREATE TABLE mem.reconciliations (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  brain_id uuid NOT NULL,
  memory_id uuid NOT NULL,
  version integer NOT NULL,
  action text NOT NULL,
  reason text NOT NULL,
  neighbour_ids uuid[] NOT NULL,
  model text,
  refused text,
  created_at timestamptz NOT NULL,
  CONSTRAINT reconciliations_pk PRIMARY KEY (org_id, id),
  CONSTRAINT reconciliations_action_ck CHECK (action IN ('ADD', 'UPDATE', 'REINFORCE', 'END'))
);
ALTER TABLE mem.reconciliations ADD CONSTRAINT reconciliations_memory_fk
  FOREIGN KEY (org_id, memory_id) REFERENCES mem.memories (org_id, id) ON DELETE CASCADE;
CREATE INDEX reconciliations_memory_idx ON mem.reconciliations (org_id, memory_id, id);
SELECT mem.guard_content('reconciliations');

CREATE INDEX memory_index_neighbours_idx ON mem.memory_index (org_id, brain_id, kind, about, memory_id);

ALTER TABLE mem.conflicts DROP CONSTRAINT conflicts_reason_ck;
ALTER TABLE mem.conflicts ADD CONSTRAINT conflicts_reason_ck CHECK (reason IN ('base_version', 'window', 'reported', 'speakers'));

-- A turn belongs to the version that was learned from it, as far as that is known, until the text of the memory became another.
ALTER TABLE mem.memory_fragments ADD COLUMN from_version integer NOT NULL DEFAULT 1;
ALTER TABLE mem.memory_fragments ALTER COLUMN from_version DROP DEFAULT;
ALTER TABLE mem.memory_fragments ADD COLUMN until_version integer;
UPDATE mem.memory_fragments s SET from_version = d.version
  FROM mem.fragments f
  JOIN (SELECT x.org_id, x.memory_id, turn_id, min(x.version) AS version
          FROM mem.derivations x, unnest(x.turn_ids) AS turn_id
         GROUP BY x.org_id, x.memory_id, turn_id) d ON d.org_id = f.org_id AND d.turn_id = f.turn_id
 WHERE f.org_id = s.org_id AND f.id = s.fragment_id AND d.memory_id = s.memory_id;
UPDATE mem.memory_fragments s SET until_version = x.version
  FROM (SELECT l.org_id, l.memory_id, l.fragment_id, min(v.version) AS version
          FROM mem.memory_fragments l
          JOIN mem.memory_versions v ON v.org_id = l.org_id AND v.memory_id = l.memory_id AND v.version >= l.from_version
          JOIN mem.memories m ON m.org_id = v.org_id AND m.id = v.memory_id
          LEFT JOIN mem.memory_versions n ON n.org_id = v.org_id AND n.memory_id = v.memory_id AND n.version = v.version + 1
         WHERE v.content IS DISTINCT FROM coalesce(n.content, m.content)
         GROUP BY l.org_id, l.memory_id, l.fragment_id) x
 WHERE x.org_id = s.org_id AND x.memory_id = s.memory_id AND x.fragment_id = s.fragment_id;
