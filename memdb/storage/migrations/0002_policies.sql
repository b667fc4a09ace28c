-- Versioned policies of an org: see schema.sql.
CREATE TABLE mem.policies (
  org_id uuid NOT NULL,
  version integer NOT NULL,
  document jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  created_by uuid,
  created_key text,
  CONSTRAINT policies_pk PRIMARY KEY (org_id, version),
  CONSTRAINT policies_version_ck CHECK (version > 0)
);
ALTER TABLE mem.policies ADD CONSTRAINT policies_org_fk FOREIGN KEY (org_id) REFERENCES mem.orgs (id);
SELECT mem.guard_org('policies', 'SELECT, INSERT');
