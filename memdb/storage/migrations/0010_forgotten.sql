-- When a statement was deleted, so that a job that began before does not bring it back: see schema.sql.
CREATE TABLE mem.forgotten (
  org_id uuid NOT NULL,
  brain_id uuid NOT NULL,
  kind text NOT NULL,
  duplicate_key bytea NOT NULL,
  forgotten_at timestamptz NOT NULL,
  CONSTRAINT forgotten_pk PRIMARY KEY (org_id, brain_id, kind, duplicate_key)
);
ALTER TABLE mem.forgotten ADD CONSTRAINT forgotten_brain_fk FOREIGN KEY (org_id, brain_id) REFERENCES mem.brains (org_id, id);
SELECT mem.guard_content('forgotten');
