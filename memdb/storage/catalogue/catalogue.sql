-- name: read_facts
-- What an administrator has to have made before a migration: extension, roles, membership, the right to make a schema, and who asks.
SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_extension WHERE extname = 'vector'),
       EXISTS (SELECT 1 FROM pg_catalog.pg_roles WHERE rolname = 'memdb_search'),
       EXISTS (SELECT 1 FROM pg_catalog.pg_roles WHERE rolname = 'memdb_app'),
       EXISTS (SELECT 1 FROM pg_catalog.pg_auth_members m
                 JOIN pg_catalog.pg_roles r ON r.oid = m.roleid JOIN pg_catalog.pg_roles u ON u.oid = m.member
                WHERE r.rolname = 'memdb_search' AND u.rolname = 'memdb_app'),
       pg_catalog.has_database_privilege(current_user, pg_catalog.current_database(), 'CREATE'),
       current_user::text, pg_catalog.current_database()::text,
       (SELECT pg_catalog.pg_get_userbyid(n.nspowner)::text FROM pg_catalog.pg_namespace n WHERE n.nspname = 'mem')

-- name: list_reachable_roles
-- A role and every role that it can act as, each with what would let it past row-level security; the role itself first.
SELECT r.rolname, r.rolsuper, r.rolbypassrls,
       EXISTS (SELECT 1 FROM pg_catalog.pg_class c
                 JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
                 JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attname = 'org_id' AND NOT a.attisdropped
                WHERE n.nspname = 'mem' AND c.relkind IN ('r', 'p') AND c.relowner = r.oid)
  FROM pg_catalog.pg_roles me
  JOIN pg_catalog.pg_roles r
    ON r.oid = me.oid
    OR NOT me.rolsuper AND (pg_catalog.pg_has_role(me.oid, r.oid, 'USAGE') OR pg_catalog.pg_has_role(me.oid, r.oid, %(switch)s)
                            OR pg_catalog.pg_has_role(me.oid, r.oid, 'MEMBER WITH ADMIN OPTION'))
 WHERE me.rolname = %(name)s
 ORDER BY r.oid <> me.oid, r.rolname

-- name: read_rights
-- Whether both roles of the product exist, and what a role can do of either.
SELECT app.oid IS NOT NULL AND search.oid IS NOT NULL,
       coalesce(pg_catalog.pg_has_role(me.oid, app.oid, 'USAGE'), false),
       coalesce(pg_catalog.pg_has_role(me.oid, search.oid, %(switch)s), false),
       CASE WHEN NOT pg_catalog.pg_has_role(me.oid, search.oid, 'USAGE') THEN NULL
            WHEN pg_catalog.pg_has_role(app.oid, search.oid, 'USAGE') THEN app.rolname ELSE me.rolname END
  FROM pg_catalog.pg_roles me
  LEFT JOIN pg_catalog.pg_roles app ON app.rolname = %(app)s
  LEFT JOIN pg_catalog.pg_roles search ON search.rolname = %(search)s
 WHERE me.rolname = %(name)s
