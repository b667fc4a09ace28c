-- What extractions of the last day have spent is found without those that spent nothing: see schema.sql.
CREATE INDEX extractions_spent_idx ON mem.extractions (org_id, changed_at) WHERE tokens_in > 0;
