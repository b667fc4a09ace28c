-- Entities, links and where memories come from, for search: see schema.sql.
CREATE INDEX memory_index_said_by_idx ON mem.memory_index (org_id, said_by) WHERE said_by IS NOT NULL;
CREATE INDEX entities_prefix_idx ON mem.entities (org_id, brain_id, folded text_pattern_ops);
GRANT SELECT ON mem.entities, mem.memory_entities, mem.links, mem.memory_fragments TO memdb_search;
GRANT SELECT (org_id, brain_id, id, episode_id, position) ON mem.fragments TO memdb_search;
CREATE POLICY search_all ON mem.entities FOR SELECT TO memdb_search USING (true);
CREATE POLICY search_all ON mem.memory_entities FOR SELECT TO memdb_search USING (true);
CREATE POLICY search_all ON mem.links FOR SELECT TO memdb_search USING (true);
CREATE POLICY search_all ON mem.memory_fragments FOR SELECT TO memdb_search USING (true);
CREATE POLICY search_all ON mem.fragments FOR SELECT TO memdb_search USING (true);
