-- memdb: the whole schema, version 19. The only place where a table, index, function, policy or role is defined.
--
-- Read it in the order in which it is applied: roles, schema and settings, tables, foreign keys, indexes, triggers, row-level security,
-- grants. Rules that bind every line (they keep the same file usable on a distributed Postgres with org_id as the distribution column):
--   * each tenant table starts with org_id and has it first in its primary key, unique constraints and foreign keys;
--   * constraints are named; no SET NULL, no deferrable constraint, no subquery inside a policy, no set_config();
--   * no key of an index and no predicate of a partial one holds status, validity or holds: their updates stay HOT;
--   * ids are UUIDv7 made by the application, so that (id) is (time, id).
-- Statements are applied one by one in one transaction by `memdb migrate`; upgrades are numbered files in memdb/storage/migrations/.

-- ---------------------------------------------------------------------------------------------------------------- roles
-- memdb_owner runs this file and owns everything; it is whoever applies it. The server never connects as the owner.
-- memdb_app serves requests under row-level security. memdb_search only searches: it sees index rows of every org, so that Postgres may
-- use GIN (@@ is not leakproof and would be a filter under a policy); only retrieval/sql/*.sql and the statements of memdb/storage/sql
-- that say so run as it, with the org bound.
DO $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_catalog.pg_roles WHERE rolname = 'memdb_search') THEN
    CREATE ROLE memdb_search NOLOGIN NOINHERIT;
  END IF;
  IF NOT EXISTS (SELECT 1 FROM pg_catalog.pg_roles WHERE rolname = 'memdb_app') THEN
    CREATE ROLE memdb_app NOLOGIN NOINHERIT;
  END IF;
  IF NOT EXISTS (
    SELECT 1 FROM pg_catalog.pg_auth_members m
      JOIN pg_catalog.pg_roles r ON r.oid = m.roleid JOIN pg_catalog.pg_roles u ON u.oid = m.member
     WHERE r.rolname = 'memdb_search' AND u.rolname = 'memdb_app'
  ) THEN
    GRANT memdb_search TO memdb_app;
  END IF;
END
$$;

CREATE SCHEMA mem;

-- ------------------------------------------------------------------------------------------------------------- settings
-- The request's identity, set by SET LOCAL at the start of each transaction. Not set means NULL, and NULL means no row.
CREATE FUNCTION mem.uuid_setting(name text) RETURNS uuid
  LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT nullif(pg_catalog.current_setting(name, true), '')::pg_catalog.uuid $$;

CREATE FUNCTION mem.current_org() RETURNS uuid
  LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT nullif(pg_catalog.current_setting('mem.org_id', true), '')::pg_catalog.uuid $$;

CREATE FUNCTION mem.current_subject() RETURNS uuid
  LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT nullif(pg_catalog.current_setting('mem.subject_id', true), '')::pg_catalog.uuid $$;

-- --------------------------------------------------------------------------------------------- tables without a tenant
-- Version of this schema; one row per applied step. `memdb migrate` refuses a version that it does not know.
CREATE TABLE mem.schema_versions (
  version integer NOT NULL,
  applied_at timestamptz NOT NULL,
  CONSTRAINT schema_versions_pk PRIMARY KEY (version)
);

-- Key ids of the root secret that rows of this database were sealed with; start-up refuses when one is missing from the secret file.
CREATE TABLE mem.secret_keys (
  key_id text NOT NULL,
  first_used_at timestamptz NOT NULL,
  CONSTRAINT secret_keys_pk PRIMARY KEY (key_id)
);

-- Embedding spaces: vectors of two spaces are never compared. `active` is the one that writes and queries use. 30 characters of name,
-- because memory_version_vectors_<name>_brain_idx must fit into the 63 of an identifier.
CREATE TABLE mem.embedding_spaces (
  name text NOT NULL,
  provider text NOT NULL,
  model text NOT NULL,
  dimension integer NOT NULL,
  recipe text NOT NULL,
  active boolean NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT embedding_spaces_pk PRIMARY KEY (name),
  CONSTRAINT embedding_spaces_name_ck CHECK (name ~ '^[a-z0-9_]{1,30}$'),
  CONSTRAINT embedding_spaces_dimension_ck CHECK (dimension BETWEEN 1 AND 4000)
);

-- Orgs: a reference table. Rarely written; no counters here.
CREATE TABLE mem.orgs (
  id uuid NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT orgs_pk PRIMARY KEY (id),
  CONSTRAINT orgs_name_uq UNIQUE (name),
  CONSTRAINT orgs_name_ck CHECK (name ~ '^[a-z0-9][a-z0-9-]{0,38}[a-z0-9]$' OR name ~ '^[a-z0-9]$')
);

-- -------------------------------------------------------------------------------------------- people, brains, credentials
-- Whom or what a memory is about, and whom a key belongs to. The org itself is one subject (id = org_id, kind org), so that it can be
-- a member of a brain. Names are labels, redacted like all text.
CREATE TABLE mem.subjects (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  kind text NOT NULL,
  name text,
  home_brain_id uuid,
  created_at timestamptz NOT NULL,
  created_by uuid,
  CONSTRAINT subjects_pk PRIMARY KEY (org_id, id),
  CONSTRAINT subjects_kind_ck CHECK (kind IN ('person', 'agent', 'service', 'team', 'project', 'org'))
);

-- (platform, external id) -> subject. External ids are often phone numbers: kept as HMAC plus a redacted label.
CREATE TABLE mem.subject_identities (
  org_id uuid NOT NULL,
  platform text NOT NULL,
  external_hash bytea NOT NULL,
  subject_id uuid NOT NULL,
  label text NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT subject_identities_pk PRIMARY KEY (org_id, platform, external_hash)
);

-- Labels under which a subject is mentioned; many to many, so two Mikes are two rows of one label.
CREATE TABLE mem.subject_aliases (
  org_id uuid NOT NULL,
  folded text NOT NULL,
  subject_id uuid NOT NULL,
  alias text NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT subject_aliases_pk PRIMARY KEY (org_id, folded, subject_id)
);

-- A merged subject and the one that stands for both. Reads expand these rows; no memory is rewritten, so that deleting the row undoes it.
CREATE TABLE mem.subject_redirects (
  org_id uuid NOT NULL,
  subject_id uuid NOT NULL,
  into_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  created_by uuid,
  CONSTRAINT subject_redirects_pk PRIMARY KEY (org_id, subject_id),
  CONSTRAINT subject_redirects_self_ck CHECK (subject_id <> into_id)
);

-- Where and when a label was seen. place = 'brain:<id>' or 'platform:<name>'; of a brain only its readers learn.
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

-- Who belongs to a team. A team may be a member of a brain.
CREATE TABLE mem.team_members (
  org_id uuid NOT NULL,
  team_id uuid NOT NULL,
  subject_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT team_members_pk PRIMARY KEY (org_id, team_id, subject_id)
);

-- sharing: who may copy a memory from here into a brain that others read. subjects = whoever said it or whom it is about; nobody.
CREATE TABLE mem.brains (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  created_by uuid,
  sharing text NOT NULL DEFAULT 'subjects',
  CONSTRAINT brains_pk PRIMARY KEY (org_id, id),
  CONSTRAINT brains_kind_ck CHECK (kind IN ('personal', 'agent', 'team', 'room', 'org')),
  CONSTRAINT brains_sharing_ck CHECK (sharing IN ('subjects', 'nobody'))
);

CREATE TABLE mem.brain_members (
  org_id uuid NOT NULL,
  brain_id uuid NOT NULL,
  member_id uuid NOT NULL,
  role text NOT NULL,
  created_at timestamptz NOT NULL,
  created_by uuid,
  CONSTRAINT brain_members_pk PRIMARY KEY (org_id, brain_id, member_id),
  CONSTRAINT brain_members_role_ck CHECK (role IN ('reader', 'writer', 'admin'))
);

-- Derived: which subject reaches which brain, teams expanded; kept by mem.rebuild_brain_access(). Org-wide membership is the row of the
-- org's own subject. Policies probe this by its primary key.
CREATE TABLE mem.brain_access (
  org_id uuid NOT NULL,
  subject_id uuid NOT NULL,
  brain_id uuid NOT NULL,
  role text NOT NULL,
  CONSTRAINT brain_access_pk PRIMARY KEY (org_id, subject_id, brain_id),
  CONSTRAINT brain_access_role_ck CHECK (role IN ('reader', 'writer', 'admin'))
);

-- Credentials. The secret is 256 random bits, so a plain SHA-256 is enough. NULL brains = every brain of the subject. `reason`, redacted:
-- why somebody else made a key for a person. `requests_per_minute` NULL = as the server is set. `last_used_at` is coarse, within minutes.
-- `replaced_by` is the key that a rotation made.
CREATE TABLE mem.api_keys (
  org_id uuid NOT NULL,
  id text NOT NULL,
  subject_id uuid NOT NULL,
  writer_label text NOT NULL,
  secret_sha256 bytea NOT NULL,
  max_role text NOT NULL,
  capabilities text[] NOT NULL,
  brains uuid[],
  act_as_subjects uuid[] NOT NULL,
  act_as_brains uuid[] NOT NULL,
  trust text NOT NULL,
  created_at timestamptz NOT NULL,
  created_by text,
  expires_at timestamptz,
  revoked_at timestamptz,
  reason text,
  requests_per_minute integer,
  last_used_at timestamptz,
  replaced_by text,
  CONSTRAINT api_keys_pk PRIMARY KEY (org_id, id),
  CONSTRAINT api_keys_max_role_ck CHECK (max_role IN ('reader', 'writer', 'admin')),
  CONSTRAINT api_keys_secret_ck CHECK (octet_length(secret_sha256) = 32),
  CONSTRAINT api_keys_requests_ck CHECK (requests_per_minute > 0)
);

-- Looks of administrators into a brain (break_glass): a key may read it until `ends_at`, or `ended_at` if that was set. They stay, so that
-- members see them. `reason` is redacted. Policies probe this only where the subject reaches nothing.
CREATE TABLE mem.looks (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  brain_id uuid NOT NULL,
  key_id text NOT NULL,
  subject_id uuid NOT NULL,
  reason text NOT NULL,
  begins_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  ended_at timestamptz,
  CONSTRAINT looks_pk PRIMARY KEY (org_id, id),
  CONSTRAINT looks_reason_ck CHECK (reason <> ''),
  CONSTRAINT looks_span_ck CHECK (ends_at > begins_at AND ends_at <= begins_at + interval '1 hour')
);

-- What an org does with its texts and with doubtful writes, and how long it keeps what: one row for each version, the highest number holds, rows never change. `document` holds
-- entity types, actions and brain ids.
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

-- Replays: 24 hours per key and route. `result` holds ids and facts of the reply, never text.
CREATE TABLE mem.idempotency_keys (
  org_id uuid NOT NULL,
  key_id text NOT NULL,
  route text NOT NULL,
  key_hash bytea NOT NULL,
  body_hash bytea NOT NULL,
  result jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT idempotency_keys_pk PRIMARY KEY (org_id, key_id, route, key_hash)
);

-- -------------------------------------------------------------------------------------------------------------- memories
-- The current state. `content` is NULL once deleted: id, times and who remain. mac_version seals the immutable version, mac_state seals
-- (mac_version, status, holds); both are checked on every memory served.
CREATE TABLE mem.memories (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  brain_id uuid NOT NULL,
  kind text NOT NULL,
  version integer NOT NULL,
  status text NOT NULL,
  topic text,
  content text,
  data jsonb NOT NULL,
  tags text[] NOT NULL,
  about uuid[] NOT NULL,
  said_by uuid,
  language text NOT NULL,
  placement text NOT NULL,
  importance real NOT NULL,
  trust text NOT NULL,
  source_kind text,
  valid_from timestamptz,
  valid_to timestamptz,
  event_from timestamptz,
  event_to timestamptz,
  expires_at timestamptz,
  redactions jsonb NOT NULL,
  text_cut boolean NOT NULL,
  duplicate_key bytea,
  written_by uuid NOT NULL,
  written_key text NOT NULL,
  writer_label text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  confirmed_at timestamptz NOT NULL,
  mac_key_id text NOT NULL,
  mac_version bytea NOT NULL,
  mac_state bytea NOT NULL,
  CONSTRAINT memories_pk PRIMARY KEY (org_id, id),
  CONSTRAINT memories_kind_ck CHECK (kind IN ('semantic', 'episodic', 'procedural', 'taxonomic', 'working')),
  CONSTRAINT memories_status_ck CHECK (status IN ('active', 'superseded', 'deleted')),
  CONSTRAINT memories_placement_ck CHECK (placement IN ('front', 'drawer')),
  CONSTRAINT memories_version_ck CHECK (version >= 1),
  CONSTRAINT memories_importance_ck CHECK (importance BETWEEN 0 AND 1),
  CONSTRAINT memories_validity_ck CHECK (valid_from IS NULL OR valid_to IS NULL OR valid_from < valid_to),
  CONSTRAINT memories_working_ck CHECK (kind <> 'working' OR expires_at IS NOT NULL OR status = 'deleted'),
  CONSTRAINT memories_content_ck CHECK ((content IS NULL) = (status = 'deleted'))
) WITH (fillfactor = 70);

-- Each older version, as it was. recorded_from .. recorded_to is when this version was what memdb knew.
CREATE TABLE mem.memory_versions (
  org_id uuid NOT NULL,
  memory_id uuid NOT NULL,
  version integer NOT NULL,
  brain_id uuid NOT NULL,
  kind text NOT NULL,
  topic text,
  content text NOT NULL,
  data jsonb NOT NULL,
  tags text[] NOT NULL,
  about uuid[] NOT NULL,
  said_by uuid,
  language text NOT NULL,
  placement text NOT NULL,
  importance real NOT NULL,
  trust text NOT NULL,
  source_kind text,
  valid_from timestamptz,
  valid_to timestamptz,
  event_from timestamptz,
  event_to timestamptz,
  expires_at timestamptz,
  redactions jsonb NOT NULL,
  text_cut boolean NOT NULL,
  written_by uuid NOT NULL,
  written_key text NOT NULL,
  writer_label text NOT NULL,
  recorded_from timestamptz NOT NULL,
  recorded_to timestamptz NOT NULL,
  replaced_by text NOT NULL,
  mac_key_id text NOT NULL,
  mac_version bytea NOT NULL,
  CONSTRAINT memory_versions_pk PRIMARY KEY (org_id, memory_id, version)
);

-- What branches filter and match by. words = the memory's own text; context = the fragments before it in its episode, with the ids that
-- it was derived from. facets = 'path=json' of the scalar leaves of data.
CREATE TABLE mem.memory_index (
  org_id uuid NOT NULL,
  memory_id uuid NOT NULL,
  brain_id uuid NOT NULL,
  kind text NOT NULL,
  topic text,
  about uuid[] NOT NULL,
  said_by uuid,
  tags text[] NOT NULL,
  facets text[] NOT NULL,
  language text NOT NULL,
  words tsvector NOT NULL,
  word_count integer NOT NULL,
  context tsvector NOT NULL,
  context_count integer NOT NULL,
  context_fragments uuid[] NOT NULL,
  status text NOT NULL,
  held boolean NOT NULL,
  valid_from timestamptz,
  valid_to timestamptz,
  event_from timestamptz,
  event_to timestamptz,
  expires_at timestamptz,
  recorded_from timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  placement text NOT NULL,
  words_mac bytea,
  context_mac bytea,
  CONSTRAINT memory_index_pk PRIMARY KEY (org_id, memory_id)
) WITH (fillfactor = 70);

-- The same for superseded versions; read only for as_of or a past valid_at.
CREATE TABLE mem.memory_version_index (
  org_id uuid NOT NULL,
  memory_id uuid NOT NULL,
  version integer NOT NULL,
  brain_id uuid NOT NULL,
  kind text NOT NULL,
  topic text,
  about uuid[] NOT NULL,
  said_by uuid,
  tags text[] NOT NULL,
  facets text[] NOT NULL,
  language text NOT NULL,
  words tsvector NOT NULL,
  word_count integer NOT NULL,
  valid_from timestamptz,
  valid_to timestamptz,
  expires_at timestamptz,
  recorded_from timestamptz NOT NULL,
  recorded_to timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  words_mac bytea,
  CONSTRAINT memory_version_index_pk PRIMARY KEY (org_id, memory_id, version)
);

-- Counters, written in batches. The outcomes are those of mem.outcomes that are counted.
CREATE TABLE mem.memory_stats (
  org_id uuid NOT NULL,
  memory_id uuid NOT NULL,
  brain_id uuid NOT NULL,
  reinforced integer NOT NULL,
  accessed integer NOT NULL,
  last_access_at timestamptz,
  used integer NOT NULL DEFAULT 0,
  helpful integer NOT NULL DEFAULT 0,
  not_helpful integer NOT NULL DEFAULT 0,
  stale integer NOT NULL DEFAULT 0,
  wrong integer NOT NULL DEFAULT 0,
  harmful integer NOT NULL DEFAULT 0,
  CONSTRAINT memory_stats_pk PRIMARY KEY (org_id, memory_id)
) WITH (fillfactor = 70);

-- No row here = not embedded yet. Filled when the provider is down, emptied by the backfill.
CREATE TABLE mem.embedding_pending (
  org_id uuid NOT NULL,
  space text NOT NULL,
  memory_id uuid NOT NULL,
  brain_id uuid NOT NULL,
  attempts integer NOT NULL,
  next_try_at timestamptz NOT NULL,
  CONSTRAINT embedding_pending_pk PRIMARY KEY (org_id, space, memory_id)
);

-- ------------------------------------------------------------------------------------------------- where a memory comes from
CREATE TABLE mem.episodes (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  brain_id uuid NOT NULL,
  external_id text,
  started_at timestamptz,
  created_at timestamptz NOT NULL,
  CONSTRAINT episodes_pk PRIMARY KEY (org_id, id),
  CONSTRAINT episodes_external_uq UNIQUE (org_id, brain_id, external_id)
);

-- Redacted excerpts of an episode, in order. text_hash is keyed: equal excerpts of one position are one row. turn_id: the recorded turn that it
-- is an excerpt of; the turn may be gone by then.
CREATE TABLE mem.fragments (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  brain_id uuid NOT NULL,
  episode_id uuid NOT NULL,
  position integer NOT NULL,
  speaker_id uuid,
  speaker text,
  said_at timestamptz,
  text text NOT NULL,
  redactions jsonb NOT NULL,
  text_hash bytea NOT NULL,
  created_at timestamptz NOT NULL,
  turn_id uuid,
  CONSTRAINT fragments_pk PRIMARY KEY (org_id, id),
  CONSTRAINT fragments_text_uq UNIQUE (org_id, episode_id, position, text_hash),
  CONSTRAINT fragments_position_ck CHECK (position >= 0)
);

-- Which versions of a memory came from a fragment: those from one to another, until_version NULL while its text is the current one.
CREATE TABLE mem.memory_fragments (
  org_id uuid NOT NULL,
  memory_id uuid NOT NULL,
  fragment_id uuid NOT NULL,
  brain_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  from_version integer NOT NULL,
  until_version integer,
  CONSTRAINT memory_fragments_pk PRIMARY KEY (org_id, memory_id, fragment_id)
);

-- Things that memories mention; per brain, so that nobody learns of a name from a brain they may not read.
CREATE TABLE mem.entities (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  brain_id uuid NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  folded text NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT entities_pk PRIMARY KEY (org_id, id),
  CONSTRAINT entities_name_uq UNIQUE (org_id, brain_id, folded, kind)
);

CREATE TABLE mem.memory_entities (
  org_id uuid NOT NULL,
  entity_id uuid NOT NULL,
  memory_id uuid NOT NULL,
  brain_id uuid NOT NULL,
  mentions integer NOT NULL,
  CONSTRAINT memory_entities_pk PRIMARY KEY (org_id, entity_id, memory_id)
);

-- Typed relations between memories of one brain. from_id is the later memory; derived_from: it was made of the other.
CREATE TABLE mem.links (
  org_id uuid NOT NULL,
  from_id uuid NOT NULL,
  to_id uuid NOT NULL,
  kind text NOT NULL,
  brain_id uuid NOT NULL,
  weight real NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT links_pk PRIMARY KEY (org_id, from_id, to_id, kind),
  CONSTRAINT links_kind_ck CHECK (kind IN ('shares_entity', 'similar', 'derived_from')),
  CONSTRAINT links_self_ck CHECK (from_id <> to_id)
);

-- ---------------------------------------------------------------------------------------------- sessions, turns, snapshots
-- A conversation. next_position is that of the next turn, open_from that of the first turn in no snapshot yet; due_at is when the open turns
-- are cut at the latest, NULL with none open; open_since is when that first turn was recorded. external_hash: keyed, of the platform and its id of the conversation.
CREATE TABLE mem.sessions (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  brain_id uuid NOT NULL,
  platform text,
  external_hash bytea,
  title text,
  max_messages integer NOT NULL,
  idle_seconds integer NOT NULL,
  overlap integer NOT NULL,
  next_position integer NOT NULL,
  open_from integer NOT NULL,
  last_turn_at timestamptz,
  due_at timestamptz,
  created_at timestamptz NOT NULL,
  created_by uuid NOT NULL,
  created_key text NOT NULL,
  closed_at timestamptz,
  open_since timestamptz,
  CONSTRAINT sessions_pk PRIMARY KEY (org_id, id),
  CONSTRAINT sessions_external_uq UNIQUE (org_id, brain_id, external_hash),
  CONSTRAINT sessions_cut_ck CHECK (max_messages BETWEEN 1 AND 500 AND idle_seconds BETWEEN 1 AND 604800 AND overlap BETWEEN 0 AND 50),
  CONSTRAINT sessions_open_ck CHECK (open_from BETWEEN 0 AND next_position)
) WITH (fillfactor = 70);

-- What was said, redacted; never changed, and its own record of who wrote it. Positions of a session have no gap. client_hash and body_hash
-- are keyed, of the caller's id of the turn and of all that it said: the same id again is the same turn. utc_offset: minutes, of the speaker.
CREATE TABLE mem.turns (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  brain_id uuid NOT NULL,
  session_id uuid NOT NULL,
  position integer NOT NULL,
  role text NOT NULL,
  speaker_id uuid,
  speaker text,
  text text NOT NULL,
  redactions jsonb NOT NULL,
  attachments jsonb NOT NULL,
  said_at timestamptz,
  utc_offset integer,
  reply_to uuid,
  client_hash bytea,
  body_hash bytea,
  trust text NOT NULL,
  source_kind text,
  written_by uuid NOT NULL,
  written_key text NOT NULL,
  writer_label text NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT turns_pk PRIMARY KEY (org_id, id),
  CONSTRAINT turns_role_ck CHECK (role IN ('user', 'assistant', 'tool', 'system')),
  CONSTRAINT turns_position_ck CHECK (position >= 0),
  CONSTRAINT turns_client_ck CHECK ((client_hash IS NULL) = (body_hash IS NULL))
) PARTITION BY RANGE (id);

-- A contiguous run of turns that is ready for extraction: first_position to last_position, both included. overlap_from: where the turns begin
-- that are given with it to be read and not to be learned from.
CREATE TABLE mem.snapshots (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  brain_id uuid NOT NULL,
  session_id uuid NOT NULL,
  first_position integer NOT NULL,
  last_position integer NOT NULL,
  overlap_from integer NOT NULL,
  cause text NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT snapshots_pk PRIMARY KEY (org_id, id),
  CONSTRAINT snapshots_first_uq UNIQUE (org_id, session_id, first_position),
  CONSTRAINT snapshots_cause_ck CHECK (cause IN ('size', 'idle', 'flush', 'close')),
  CONSTRAINT snapshots_run_ck CHECK (overlap_from BETWEEN 0 AND first_position AND first_position <= last_position)
);

-- What one handler makes of one snapshot. failure is the code of an error, never its text; run counts the times that it was begun anew.
CREATE TABLE mem.extractions (
  org_id uuid NOT NULL,
  snapshot_id uuid NOT NULL,
  handler text NOT NULL,
  brain_id uuid NOT NULL,
  session_id uuid NOT NULL,
  state text NOT NULL,
  run integer NOT NULL,
  attempts integer NOT NULL,
  failure text,
  extractor text,
  found integer NOT NULL,
  added integer NOT NULL,
  updated integer NOT NULL,
  reinforced integer NOT NULL,
  refused integer NOT NULL,
  tokens_in bigint NOT NULL,
  tokens_out bigint NOT NULL,
  cost_micros bigint NOT NULL,
  created_at timestamptz NOT NULL,
  changed_at timestamptz NOT NULL,
  ended integer NOT NULL DEFAULT 0,
  CONSTRAINT extractions_pk PRIMARY KEY (org_id, snapshot_id, handler),
  CONSTRAINT extractions_handler_ck CHECK (handler IN ('semantic', 'episodic', 'procedural', 'taxonomic')),
  CONSTRAINT extractions_state_ck CHECK (state IN ('waiting', 'done', 'dead'))
) WITH (fillfactor = 70);

-- Which memory a handler made of a snapshot, what the write path decided and why, and the turns that it rests on.
CREATE TABLE mem.derivations (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  brain_id uuid NOT NULL,
  memory_id uuid NOT NULL,
  version integer NOT NULL,
  snapshot_id uuid NOT NULL,
  handler text NOT NULL,
  run integer NOT NULL,
  action text NOT NULL,
  reason text NOT NULL,
  turn_ids uuid[] NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT derivations_pk PRIMARY KEY (org_id, id),
  CONSTRAINT derivations_action_ck CHECK (action IN ('ADD', 'UPDATE', 'REINFORCE', 'END'))
);

-- What became of a write that had something to be compared with, and why: the memory, at its version then, and those that were near it. A
-- model that was asked is named, and why what it said was not done. Ids and codes, no text.
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

-- When a statement was deleted: what was said before that is not learned from its conversation again. Of the text only the keyed digest.
CREATE TABLE mem.forgotten (
  org_id uuid NOT NULL,
  brain_id uuid NOT NULL,
  kind text NOT NULL,
  duplicate_key bytea NOT NULL,
  forgotten_at timestamptz NOT NULL,
  CONSTRAINT forgotten_pk PRIMARY KEY (org_id, brain_id, kind, duplicate_key)
);

-- ------------------------------------------------------------------------------------------------------- topics and units
-- Topics of a brain: folded as memory_index has them, in byte order so that a prefix is a range; the label is the spelling that came first.
-- memory_index refers to them, so that the last memory of a topic takes it along and a new one keeps it.
CREATE TABLE mem.topics (
  org_id uuid NOT NULL,
  brain_id uuid NOT NULL,
  folded text COLLATE "C" NOT NULL,
  label text NOT NULL,
  words text[] NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT topics_pk PRIMARY KEY (org_id, brain_id, folded)
);

-- The one memory that stands for a topic in a brain, written by topic.
CREATE TABLE mem.units (
  org_id uuid NOT NULL,
  brain_id uuid NOT NULL,
  topic text COLLATE "C" NOT NULL,
  memory_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT units_pk PRIMARY KEY (org_id, brain_id, topic),
  CONSTRAINT units_memory_uq UNIQUE (org_id, memory_id)
);

-- Two versions of a memory, or two memories, that cannot both hold. Shown to every reader of the brain until somebody resolves it. version
-- and other_version are those that contradicted each other; of a unit both sides are one memory, and other_version is the replaced one.
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
  CONSTRAINT conflicts_reason_ck CHECK (reason IN ('base_version', 'window', 'reported', 'speakers')),
  CONSTRAINT conflicts_resolution_ck CHECK (resolution IN ('kept', 'restored', 'merged', 'both', 'gone')),
  CONSTRAINT conflicts_resolved_ck CHECK ((resolved_at IS NULL) = (resolution IS NULL)),
  CONSTRAINT conflicts_sides_ck CHECK (memory_id <> other_id OR version <> other_version)
);

-- ------------------------------------------------------------------------------------------------------ word statistics
-- Document frequencies per brain and language, so that nobody's scores depend on brains they may not read. A write appends one delta row;
-- a job folds deltas in (kept in the write transaction they made concurrent writers queue for the rows of common words).
CREATE TABLE mem.term_stats (
  org_id uuid NOT NULL,
  brain_id uuid NOT NULL,
  term text NOT NULL,
  language text NOT NULL,
  documents bigint NOT NULL,
  CONSTRAINT term_stats_pk PRIMARY KEY (org_id, brain_id, term, language)
);

CREATE TABLE mem.corpus_stats (
  org_id uuid NOT NULL,
  brain_id uuid NOT NULL,
  language text NOT NULL,
  documents bigint NOT NULL,
  words bigint NOT NULL,
  CONSTRAINT corpus_stats_pk PRIMARY KEY (org_id, brain_id, language)
);

CREATE TABLE mem.term_deltas (
  org_id uuid NOT NULL,
  brain_id uuid NOT NULL,
  id uuid NOT NULL,
  language text NOT NULL,
  terms text[] NOT NULL,
  documents integer NOT NULL,
  words integer NOT NULL,
  CONSTRAINT term_deltas_pk PRIMARY KEY (org_id, brain_id, id),
  CONSTRAINT term_deltas_documents_ck CHECK (documents IN (-1, 1))
);

-- ------------------------------------------------------------------------------------------------------------ governance
-- An action that holds memories; a memory is served when it has no row in holds. Actions release independently. unattributed: an imported
-- statement waits until somebody says whom it is about. selection: ids, moments and words of the product, no text; reason is redacted. memories:
-- how many were selected; done: how many of them are held, and once it is being released, how many no longer are. It is carried on while
-- running or releasing.
CREATE TABLE mem.hold_actions (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  kind text NOT NULL,
  reasons text[] NOT NULL,
  created_at timestamptz NOT NULL,
  created_by uuid,
  created_key text,
  state text NOT NULL DEFAULT 'done',
  reason text,
  selection jsonb NOT NULL DEFAULT '{}',
  memories integer NOT NULL DEFAULT 1,
  sessions integer NOT NULL DEFAULT 0,
  done integer NOT NULL DEFAULT 1,
  changed_at timestamptz,
  released_at timestamptz,
  released_by uuid,
  released_key text,
  CONSTRAINT hold_actions_pk PRIMARY KEY (org_id, id),
  CONSTRAINT hold_actions_kind_ck CHECK (kind IN ('write', 'quarantine', 'unattributed')),
  CONSTRAINT hold_actions_state_ck CHECK (state IN ('running', 'done', 'releasing', 'released'))
);

CREATE TABLE mem.holds (
  org_id uuid NOT NULL,
  memory_id uuid NOT NULL,
  action_id uuid NOT NULL,
  brain_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT holds_pk PRIMARY KEY (org_id, memory_id, action_id)
);

-- Memories that a running action has selected and not held yet. Ids alone.
CREATE TABLE mem.hold_targets (
  org_id uuid NOT NULL,
  action_id uuid NOT NULL,
  brain_id uuid NOT NULL,
  memory_id uuid NOT NULL,
  CONSTRAINT hold_targets_pk PRIMARY KEY (org_id, action_id, brain_id, memory_id)
);

-- Sessions whose turns an action keeps from being shown, cut and learned from.
CREATE TABLE mem.session_holds (
  org_id uuid NOT NULL,
  session_id uuid NOT NULL,
  action_id uuid NOT NULL,
  brain_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT session_holds_pk PRIMARY KEY (org_id, session_id, action_id)
);

-- Memories that somebody has to look at, though they are served: why (harmful: a vote; flagged: policy let a doubtful write pass), with its
-- codes, and how often. A reviewer closes it. No text.
CREATE TABLE mem.review_requests (
  org_id uuid NOT NULL,
  memory_id uuid NOT NULL,
  cause text NOT NULL,
  brain_id uuid NOT NULL,
  reasons text[] NOT NULL,
  times integer NOT NULL,
  opened_at timestamptz NOT NULL,
  changed_at timestamptz NOT NULL,
  CONSTRAINT review_requests_pk PRIMARY KEY (org_id, memory_id, cause),
  CONSTRAINT review_requests_cause_ck CHECK (cause IN ('harmful', 'flagged')),
  CONSTRAINT review_requests_times_ck CHECK (times > 0)
);

-- What happened, without memory text. commitment = mac_state of the memory as the write left it, NULL where it changed none; digest is over
-- every field and the commitment (HMAC, key outside the database).
-- Partitioned by month on the UUIDv7 id, so that the key stays (org_id, id) and retention drops a partition.
CREATE TABLE mem.audit_events (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  at timestamptz NOT NULL,
  action text NOT NULL,
  actor_subject uuid,
  actor_key text,
  acting_for uuid,
  brain_id uuid,
  object_kind text NOT NULL,
  object_id text NOT NULL,
  detail jsonb NOT NULL,
  mac_key_id text,
  digest bytea,
  request_id text,
  commitment bytea,
  CONSTRAINT audit_events_pk PRIMARY KEY (org_id, id)
) PARTITION BY RANGE (id);

-- Events that are not in the chain yet, left by the trigger in the transaction that wrote them. seq is the order in which they were written:
-- of two writes of one memory the later waited for the lock of the first, so the order of one memory's events is right whatever clocks say.
CREATE TABLE mem.audit_pending (
  org_id uuid NOT NULL,
  event_id uuid NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  noted_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT audit_pending_pk PRIMARY KEY (org_id, event_id)
);

-- The log of an org in order, without gaps. link = HMAC over the link before it, the position, the event's id and its digest.
CREATE TABLE mem.audit_chain (
  org_id uuid NOT NULL,
  position bigint NOT NULL,
  event_id uuid NOT NULL,
  link bytea NOT NULL,
  mac_key_id text NOT NULL,
  sealed_at timestamptz NOT NULL,
  CONSTRAINT audit_chain_pk PRIMARY KEY (org_id, position),
  CONSTRAINT audit_chain_event_uq UNIQUE (org_id, event_id),
  CONSTRAINT audit_chain_position_ck CHECK (position > 0)
);

-- One row per recall: the query as redacted, the filter, ids and scores. It is the audit event of the read as well. `looks`: those into
-- brains that it searched, NULL for none.
CREATE TABLE mem.recalls (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  subject_id uuid NOT NULL,
  key_id text NOT NULL,
  acting_for uuid,
  query text NOT NULL,
  filters jsonb NOT NULL,
  purpose text,
  memory_ids uuid[] NOT NULL,
  scores real[] NOT NULL,
  degraded text[] NOT NULL,
  took_ms real NOT NULL,
  created_at timestamptz NOT NULL,
  request_id text,
  looks uuid[],
  CONSTRAINT recalls_pk PRIMARY KEY (org_id, id)
) PARTITION BY RANGE (id);

-- -------------------------------------------------------------------------------------------------------------- feedback
-- What became of a memory that a recall returned. One row for each key: another outcome for the same memory of the same recall replaces it.
-- `note` is redacted. `counted_as` is the outcome that stands in mem.memory_stats: NULL or another one means that it has to be counted.
CREATE TABLE mem.outcomes (
  org_id uuid NOT NULL,
  recall_id uuid NOT NULL,
  memory_id uuid NOT NULL,
  key_id text NOT NULL,
  subject_id uuid NOT NULL,
  brain_id uuid NOT NULL,
  outcome text NOT NULL,
  note text,
  created_at timestamptz NOT NULL,
  counted_as text,
  CONSTRAINT outcomes_pk PRIMARY KEY (org_id, recall_id, memory_id, key_id),
  CONSTRAINT outcomes_outcome_ck CHECK (outcome IN ('used', 'helpful', 'not_helpful', 'stale', 'wrong', 'harmful'))
);

-- Copies of the recalls that got feedback, by the id of the recall; those themselves are dropped after a month. The vector is of the query as
-- redacted and has no fixed dimension: `space` says which it has. NULL: the provider was down, and the query is not searched.
CREATE TABLE mem.feedback_queries (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  subject_id uuid NOT NULL,
  key_id text NOT NULL,
  query text NOT NULL,
  space text NOT NULL,
  embedding halfvec,
  created_at timestamptz NOT NULL,
  CONSTRAINT feedback_queries_pk PRIMARY KEY (org_id, id),
  CONSTRAINT feedback_queries_unit_ck CHECK (l2_norm(embedding) BETWEEN 0.98 AND 1.02)
);

-- --------------------------------------------------------------------------------------------------------------- erasure
-- What is forgotten for good, and how far that is. target_id: of a subject, memory, session or episode. subject_ids: all that are one with
-- the subject; brain_ids: their own brains, which go whole. labels: what they were called, kept only until nothing of it is looked for any
-- more. position, counts and receipt: numbers, ids and words of the product.
CREATE TABLE mem.erasures (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  kind text NOT NULL,
  target_id uuid NOT NULL,
  state text NOT NULL,
  subject_ids uuid[] NOT NULL,
  brain_ids uuid[] NOT NULL,
  labels jsonb,
  position jsonb NOT NULL,
  counts jsonb NOT NULL,
  requested_by uuid,
  requested_key text,
  created_at timestamptz NOT NULL,
  changed_at timestamptz NOT NULL,
  worked_until timestamptz,
  completed_at timestamptz,
  receipt jsonb,
  CONSTRAINT erasures_pk PRIMARY KEY (org_id, id),
  CONSTRAINT erasures_kind_ck CHECK (kind IN ('subject', 'memory', 'session', 'source')),
  CONSTRAINT erasures_state_ck CHECK (state IN ('running', 'deciding', 'complete')),
  CONSTRAINT erasures_complete_ck CHECK ((state = 'complete') = (receipt IS NOT NULL))
) WITH (fillfactor = 70);

-- What an erasure leaves to a person: an object that holds a name which others share, or one whose seal is broken. decision: NULL while open.
CREATE TABLE mem.erasure_decisions (
  org_id uuid NOT NULL,
  erasure_id uuid NOT NULL,
  object_kind text NOT NULL,
  object_id uuid NOT NULL,
  brain_id uuid,
  reason text NOT NULL,
  decision text,
  decided_by uuid,
  decided_at timestamptz,
  CONSTRAINT erasure_decisions_pk PRIMARY KEY (org_id, erasure_id, object_kind, object_id),
  CONSTRAINT erasure_decisions_reason_ck CHECK (reason IN ('ambiguous', 'unsealed')),
  CONSTRAINT erasure_decisions_decision_ck CHECK (decision IN ('erase', 'keep'))
);

-- Tombstones: keyed digests of what was erased, so that it does not come back with an import, a replay or an older backup. They outlive their
-- org, and no row ever changes. kind: subject, identity, memory, session, source, org; cut and keep: what was decided of an object.
CREATE TABLE mem.erasure_ledger (
  org_id uuid NOT NULL,
  kind text NOT NULL,
  digest bytea NOT NULL,
  key_id text NOT NULL,
  erased_at timestamptz NOT NULL,
  CONSTRAINT erasure_ledger_pk PRIMARY KEY (org_id, kind, digest),
  CONSTRAINT erasure_ledger_digest_ck CHECK (octet_length(digest) = 32)
);

-- ---------------------------------------------------------------------------------------------------------- foreign keys
ALTER TABLE mem.subjects ADD CONSTRAINT subjects_org_fk FOREIGN KEY (org_id) REFERENCES mem.orgs (id);
ALTER TABLE mem.subject_identities ADD CONSTRAINT subject_identities_subject_fk
  FOREIGN KEY (org_id, subject_id) REFERENCES mem.subjects (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.subject_aliases ADD CONSTRAINT subject_aliases_subject_fk
  FOREIGN KEY (org_id, subject_id) REFERENCES mem.subjects (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.team_members ADD CONSTRAINT team_members_team_fk
  FOREIGN KEY (org_id, team_id) REFERENCES mem.subjects (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.team_members ADD CONSTRAINT team_members_subject_fk
  FOREIGN KEY (org_id, subject_id) REFERENCES mem.subjects (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.brains ADD CONSTRAINT brains_org_fk FOREIGN KEY (org_id) REFERENCES mem.orgs (id);
ALTER TABLE mem.brain_members ADD CONSTRAINT brain_members_brain_fk
  FOREIGN KEY (org_id, brain_id) REFERENCES mem.brains (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.brain_members ADD CONSTRAINT brain_members_member_fk
  FOREIGN KEY (org_id, member_id) REFERENCES mem.subjects (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.brain_access ADD CONSTRAINT brain_access_brain_fk
  FOREIGN KEY (org_id, brain_id) REFERENCES mem.brains (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.brain_access ADD CONSTRAINT brain_access_subject_fk
  FOREIGN KEY (org_id, subject_id) REFERENCES mem.subjects (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.looks ADD CONSTRAINT looks_brain_fk FOREIGN KEY (org_id, brain_id) REFERENCES mem.brains (org_id, id);
ALTER TABLE mem.looks ADD CONSTRAINT looks_subject_fk FOREIGN KEY (org_id, subject_id) REFERENCES mem.subjects (org_id, id);
ALTER TABLE mem.api_keys ADD CONSTRAINT api_keys_subject_fk
  FOREIGN KEY (org_id, subject_id) REFERENCES mem.subjects (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.policies ADD CONSTRAINT policies_org_fk FOREIGN KEY (org_id) REFERENCES mem.orgs (id);
ALTER TABLE mem.memories ADD CONSTRAINT memories_brain_fk FOREIGN KEY (org_id, brain_id) REFERENCES mem.brains (org_id, id);
ALTER TABLE mem.memory_versions ADD CONSTRAINT memory_versions_memory_fk
  FOREIGN KEY (org_id, memory_id) REFERENCES mem.memories (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.memory_index ADD CONSTRAINT memory_index_memory_fk
  FOREIGN KEY (org_id, memory_id) REFERENCES mem.memories (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.memory_version_index ADD CONSTRAINT memory_version_index_version_fk
  FOREIGN KEY (org_id, memory_id, version) REFERENCES mem.memory_versions (org_id, memory_id, version) ON DELETE CASCADE;
ALTER TABLE mem.memory_stats ADD CONSTRAINT memory_stats_memory_fk
  FOREIGN KEY (org_id, memory_id) REFERENCES mem.memories (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.embedding_pending ADD CONSTRAINT embedding_pending_memory_fk
  FOREIGN KEY (org_id, memory_id) REFERENCES mem.memories (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.episodes ADD CONSTRAINT episodes_brain_fk FOREIGN KEY (org_id, brain_id) REFERENCES mem.brains (org_id, id);
ALTER TABLE mem.fragments ADD CONSTRAINT fragments_episode_fk
  FOREIGN KEY (org_id, episode_id) REFERENCES mem.episodes (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.memory_fragments ADD CONSTRAINT memory_fragments_memory_fk
  FOREIGN KEY (org_id, memory_id) REFERENCES mem.memories (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.memory_fragments ADD CONSTRAINT memory_fragments_fragment_fk
  FOREIGN KEY (org_id, fragment_id) REFERENCES mem.fragments (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.entities ADD CONSTRAINT entities_brain_fk FOREIGN KEY (org_id, brain_id) REFERENCES mem.brains (org_id, id);
ALTER TABLE mem.memory_entities ADD CONSTRAINT memory_entities_entity_fk
  FOREIGN KEY (org_id, entity_id) REFERENCES mem.entities (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.memory_entities ADD CONSTRAINT memory_entities_memory_fk
  FOREIGN KEY (org_id, memory_id) REFERENCES mem.memories (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.links ADD CONSTRAINT links_from_fk
  FOREIGN KEY (org_id, from_id) REFERENCES mem.memories (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.links ADD CONSTRAINT links_to_fk
  FOREIGN KEY (org_id, to_id) REFERENCES mem.memories (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.hold_actions ADD CONSTRAINT hold_actions_org_fk FOREIGN KEY (org_id) REFERENCES mem.orgs (id);
ALTER TABLE mem.holds ADD CONSTRAINT holds_memory_fk
  FOREIGN KEY (org_id, memory_id) REFERENCES mem.memories (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.holds ADD CONSTRAINT holds_action_fk
  FOREIGN KEY (org_id, action_id) REFERENCES mem.hold_actions (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.hold_targets ADD CONSTRAINT hold_targets_action_fk
  FOREIGN KEY (org_id, action_id) REFERENCES mem.hold_actions (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.session_holds ADD CONSTRAINT session_holds_session_fk
  FOREIGN KEY (org_id, session_id) REFERENCES mem.sessions (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.session_holds ADD CONSTRAINT session_holds_action_fk
  FOREIGN KEY (org_id, action_id) REFERENCES mem.hold_actions (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.review_requests ADD CONSTRAINT review_requests_memory_fk
  FOREIGN KEY (org_id, memory_id) REFERENCES mem.memories (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.outcomes ADD CONSTRAINT outcomes_memory_fk
  FOREIGN KEY (org_id, memory_id) REFERENCES mem.memories (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.feedback_queries ADD CONSTRAINT feedback_queries_org_fk FOREIGN KEY (org_id) REFERENCES mem.orgs (id);
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
ALTER TABLE mem.memory_index ADD CONSTRAINT memory_index_topic_fk
  FOREIGN KEY (org_id, brain_id, topic) REFERENCES mem.topics (org_id, brain_id, folded);
ALTER TABLE mem.forgotten ADD CONSTRAINT forgotten_brain_fk FOREIGN KEY (org_id, brain_id) REFERENCES mem.brains (org_id, id);
ALTER TABLE mem.sessions ADD CONSTRAINT sessions_brain_fk FOREIGN KEY (org_id, brain_id) REFERENCES mem.brains (org_id, id);
ALTER TABLE mem.turns ADD CONSTRAINT turns_session_fk
  FOREIGN KEY (org_id, session_id) REFERENCES mem.sessions (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.snapshots ADD CONSTRAINT snapshots_session_fk
  FOREIGN KEY (org_id, session_id) REFERENCES mem.sessions (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.extractions ADD CONSTRAINT extractions_snapshot_fk
  FOREIGN KEY (org_id, snapshot_id) REFERENCES mem.snapshots (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.derivations ADD CONSTRAINT derivations_memory_fk
  FOREIGN KEY (org_id, memory_id) REFERENCES mem.memories (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.derivations ADD CONSTRAINT derivations_snapshot_fk
  FOREIGN KEY (org_id, snapshot_id) REFERENCES mem.snapshots (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.reconciliations ADD CONSTRAINT reconciliations_memory_fk
  FOREIGN KEY (org_id, memory_id) REFERENCES mem.memories (org_id, id) ON DELETE CASCADE;
ALTER TABLE mem.erasures ADD CONSTRAINT erasures_org_fk FOREIGN KEY (org_id) REFERENCES mem.orgs (id);
ALTER TABLE mem.erasure_decisions ADD CONSTRAINT erasure_decisions_erasure_fk
  FOREIGN KEY (org_id, erasure_id) REFERENCES mem.erasures (org_id, id) ON DELETE CASCADE;

-- --------------------------------------------------------------------------------------------------------------- indexes
-- Each line names the statement that it serves; a plan test runs that statement and looks for the index.

-- subjects.list_aliases (the dictionary of one subject)
CREATE INDEX subject_aliases_subject_idx ON mem.subject_aliases (org_id, subject_id);
-- subjects.list_identities
CREATE INDEX subject_identities_subject_idx ON mem.subject_identities (org_id, subject_id);
-- mem.rebuild_brain_access: brains of a team
CREATE INDEX brain_members_member_idx ON mem.brain_members (org_id, member_id);
-- mem.rebuild_brain_access: rows of one brain
CREATE INDEX brain_access_brain_idx ON mem.brain_access (org_id, brain_id);
-- keys.list_keys of a subject
CREATE INDEX api_keys_subject_idx ON mem.api_keys (org_id, subject_id);
-- mem.role_in, credentials.load_credential: what a key may look into now
CREATE INDEX looks_key_idx ON mem.looks (org_id, key_id, ends_at);
-- looks.list_looks
CREATE INDEX looks_brain_idx ON mem.looks (org_id, brain_id, id);
-- idempotency.forget_old
CREATE INDEX idempotency_keys_age_idx ON mem.idempotency_keys (created_at);
-- listing.list_memories: newest first within brains (UUIDv7: id order is time order)
CREATE INDEX memories_brain_idx ON mem.memories (org_id, brain_id, id);
-- store: one memory per (brain, kind, subjects, topic, text); ON CONFLICT target
CREATE UNIQUE INDEX memories_duplicate_uq ON mem.memories (org_id, brain_id, kind, duplicate_key);
-- mem.list_old_keys; empty once they are renewed
CREATE INDEX memories_old_key_idx ON mem.memories (org_id, brain_id, id) WHERE octet_length(duplicate_key) = 32;
-- lexical branch
CREATE INDEX memory_index_words_idx ON mem.memory_index USING gin (words) WITH (fastupdate = off);
-- lexical branch, context field
CREATE INDEX memory_index_context_idx ON mem.memory_index USING gin (context) WITH (fastupdate = off);
-- vector branch in small scopes, lexical branch in small brains; the newest of a topic, whose collation is that of mem.topics
CREATE INDEX memory_index_brain_idx ON mem.memory_index (org_id, brain_id, topic COLLATE "C", recorded_from DESC, memory_id);
-- search narrowed to subjects; find_next_claim, list_claims
CREATE INDEX memory_index_about_idx ON mem.memory_index USING gin (about);
-- find_neighbours: the newest of one kind about exactly these subjects; claims.list_holders
CREATE INDEX memory_index_neighbours_idx ON mem.memory_index (org_id, brain_id, kind, about, memory_id);
-- fronts.list_standing: what stands at the front of cards; few rows of a brain, whatever its size
CREATE INDEX memory_index_front_idx ON mem.memory_index (org_id, brain_id) WHERE placement = 'front';
-- entity branch: what a subject said
CREATE INDEX memory_index_said_by_idx ON mem.memory_index (org_id, said_by) WHERE said_by IS NOT NULL;
-- rebuild of rows whose context came from a fragment
CREATE INDEX memory_index_context_fragments_idx ON mem.memory_index USING gin (context_fragments);
-- lexical branch over superseded versions
CREATE INDEX memory_version_index_words_idx ON mem.memory_version_index USING gin (words);
-- vector branch over superseded versions (exact within the scope)
CREATE INDEX memory_version_index_brain_idx ON mem.memory_version_index (org_id, brain_id, recorded_to);
-- backfill of embeddings, oldest first
CREATE INDEX embedding_pending_due_idx ON mem.embedding_pending (org_id, space, next_try_at);
-- memories of an entity in a brain; clean-up of entities when a memory goes
CREATE INDEX memory_entities_memory_idx ON mem.memory_entities (org_id, memory_id);
-- entity branch: names, by their beginning as well; in byte order whatever the collation of the database
CREATE INDEX entities_prefix_idx ON mem.entities (org_id, brain_id, folded text_pattern_ops);
-- memories of a fragment
CREATE INDEX memory_fragments_fragment_idx ON mem.memory_fragments (org_id, fragment_id);
-- links of a memory, the other direction
CREATE INDEX links_to_idx ON mem.links (org_id, to_id);
-- fragments of an episode in order: context of a fragment
CREATE INDEX fragments_episode_idx ON mem.fragments (org_id, episode_id, position, id);
-- holds of one action
CREATE INDEX holds_action_idx ON mem.holds (org_id, action_id);
-- holds.list_unattributed
CREATE INDEX holds_brain_idx ON mem.holds (org_id, brain_id, memory_id);
-- quarantine: list_open_actions
CREATE INDEX hold_actions_open_idx ON mem.hold_actions (org_id, id) WHERE state IN ('running', 'releasing');
-- quarantine: list_actions
CREATE INDEX hold_actions_quarantine_idx ON mem.hold_actions (org_id, id) WHERE kind = 'quarantine';
-- quarantine: list_sessions_of
CREATE INDEX session_holds_action_idx ON mem.session_holds (org_id, action_id);
-- select_memories: by writer
CREATE INDEX memories_writer_idx ON mem.memories (org_id, written_by, id);
-- select_memories: by key
CREATE INDEX memories_key_idx ON mem.memories (org_id, written_key, id);
-- select_of_source
CREATE INDEX episodes_source_idx ON mem.episodes (org_id, external_id) WHERE external_id IS NOT NULL;
-- list_shared_from: what a copy was made of
CREATE INDEX audit_events_copy_idx ON mem.audit_events (org_id, (detail ->> 'as')) WHERE action = 'memory.share';
-- feedback branch: the newest outcomes of each key in brains
CREATE INDEX outcomes_brain_idx ON mem.outcomes (org_id, brain_id, key_id, created_at);
-- memories.erase: outcomes of a memory
CREATE INDEX outcomes_memory_idx ON mem.outcomes (org_id, memory_id);
-- upkeep: list_brains_with_outcomes, lock_outcomes
CREATE INDEX outcomes_uncounted_idx ON mem.outcomes (org_id, brain_id) WHERE outcome IS DISTINCT FROM counted_as;
-- audit.list_events of an object
CREATE INDEX audit_events_object_idx ON mem.audit_events (org_id, object_id, id);
-- subjects: members of a group of merged subjects
CREATE INDEX subject_redirects_into_idx ON mem.subject_redirects (org_id, into_id);
-- where a subject was seen
CREATE INDEX alias_sightings_subject_idx ON mem.alias_sightings (org_id, subject_id);
-- topics by word
CREATE INDEX topics_words_idx ON mem.topics USING gin (words);
-- open conflicts of a memory
CREATE INDEX conflicts_open_idx ON mem.conflicts (org_id, memory_id) WHERE resolved_at IS NULL;
-- conflicts of a memory, the other side
CREATE INDEX conflicts_other_idx ON mem.conflicts (org_id, other_id);
-- sessions.list_sessions
CREATE INDEX sessions_brain_idx ON mem.sessions (org_id, brain_id, id);
-- sessions.list_due: only sessions with open turns
CREATE INDEX sessions_due_idx ON mem.sessions (org_id, due_at) WHERE due_at IS NOT NULL;
-- turns.list_turns
CREATE INDEX turns_session_idx ON mem.turns (org_id, session_id, position);
-- append_turns: turns that are there already
CREATE INDEX turns_client_idx ON mem.turns (org_id, session_id, client_hash) WHERE client_hash IS NOT NULL;
-- extractions.list_unfinished, and the dead ones for an admin
CREATE INDEX extractions_unfinished_idx ON mem.extractions (org_id, state, changed_at) WHERE state <> 'done';
-- extractions.sum_tokens; empty where rules read, which spend nothing
CREATE INDEX extractions_spent_idx ON mem.extractions (org_id, changed_at) WHERE tokens_in > 0;
-- derivations.list_of_memory
CREATE INDEX derivations_memory_idx ON mem.derivations (org_id, memory_id, id);
-- derivations.list_of_snapshot
CREATE INDEX derivations_snapshot_idx ON mem.derivations (org_id, snapshot_id, handler);
-- reconciliations.list_of_memory
CREATE INDEX reconciliations_memory_idx ON mem.reconciliations (org_id, memory_id, id);
-- origins.list_learned: what came of a turn
CREATE INDEX fragments_turn_idx ON mem.fragments (org_id, turn_id) WHERE turn_id IS NOT NULL;
-- erasures.list_unfinished: few rows, and none when everything is done
CREATE INDEX erasures_unfinished_idx ON mem.erasures (org_id, changed_at) WHERE state = 'running';

-- ------------------------------------------------------------------------------------------------------------- functions
-- What the request's subject, through the request's key, may do in a brain: reader, writer, admin, `looker` (a look that is open: reads, and
-- leaves no trace of its own), or NULL for nothing. Probes two primary keys. A job names exactly one brain instead. COST: a probe takes
-- tens of microseconds, so plans must not run it on rows that they could have left out before.
CREATE FUNCTION mem.role_in(brain uuid) RETURNS text
  LANGUAGE plpgsql STABLE SECURITY DEFINER COST 2000
  SET search_path = pg_catalog, pg_temp
  AS $$
DECLARE
  org uuid := nullif(current_setting('mem.org_id', true), '')::uuid;
  job_brain text := current_setting('mem.job_brain_id', true);
  subject uuid;
  role_found text;
  key_role text;
BEGIN
  IF org IS NULL OR brain IS NULL THEN
    RETURN NULL;
  END IF;
  IF job_brain IS NOT NULL AND job_brain <> '' AND brain = job_brain::uuid THEN
    RETURN 'writer';
  END IF;
  subject := nullif(current_setting('mem.subject_id', true), '')::uuid;
  IF subject IS NULL THEN
    RETURN NULL;
  END IF;
  -- Single-row probes: a join or an IN takes twice as long.
  SELECT a.role INTO role_found FROM mem.brain_access a WHERE a.org_id = org AND a.subject_id = subject AND a.brain_id = brain;
  IF role_found IS NULL THEN
    SELECT a.role INTO role_found FROM mem.brain_access a WHERE a.org_id = org AND a.subject_id = org AND a.brain_id = brain;
    IF role_found IS NULL THEN
      -- Nothing for the subject: then it may be a look, of an administrator's live key that acts for nobody.
      PERFORM 1 FROM mem.looks l
        WHERE l.org_id = org AND l.key_id = current_setting('mem.key_id', true) AND l.ends_at > now()
          AND l.ended_at IS NULL AND l.brain_id = brain AND l.subject_id = subject;
      IF NOT FOUND THEN
        RETURN NULL;
      END IF;
      PERFORM 1 FROM mem.api_keys k
        WHERE k.org_id = org AND k.id = current_setting('mem.key_id', true) AND k.subject_id = subject AND 'admin' = ANY (k.capabilities)
          AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()) AND (k.brains IS NULL OR brain = ANY (k.brains));
      RETURN CASE WHEN FOUND THEN 'looker' END;
    END IF;
  END IF;
  SELECT k.max_role INTO key_role
    FROM mem.api_keys k
   WHERE k.org_id = org AND k.id = current_setting('mem.key_id', true)
     AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
     AND (k.brains IS NULL OR brain = ANY (k.brains))
     AND (k.subject_id = subject OR subject = ANY (k.act_as_subjects) OR brain = ANY (k.act_as_brains));
  IF key_role IS NULL THEN
    RETURN NULL;
  END IF;
  RETURN CASE WHEN 'reader' IN (role_found, key_role) THEN 'reader' WHEN 'writer' IN (role_found, key_role) THEN 'writer' ELSE 'admin' END;
END
$$;

-- Inlined into policies, so that only role_in itself is called.
CREATE FUNCTION mem.can_read(brain uuid) RETURNS boolean
  LANGUAGE sql STABLE
  AS $$ SELECT mem.role_in(brain) IS NOT NULL $$;

CREATE FUNCTION mem.can_write(brain uuid) RETURNS boolean
  LANGUAGE sql STABLE
  AS $$ SELECT coalesce(mem.role_in(brain) IN ('writer', 'admin'), false) $$;

-- Reads the brain as a member or for a job, and so may leave what readers leave: counters, outcomes, where a label was seen.
CREATE FUNCTION mem.is_member(brain uuid) RETURNS boolean
  LANGUAGE sql STABLE
  AS $$ SELECT coalesce(mem.role_in(brain) <> 'looker', false) $$;

-- Members are set by an admin of the brain, or by whoever creates it, while it has no member yet.
CREATE FUNCTION mem.can_set_members(brain uuid) RETURNS boolean
  LANGUAGE plpgsql STABLE SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
  AS $$
BEGIN
  RETURN coalesce(mem.role_in(brain) = 'admin', false)
    OR (EXISTS (SELECT 1 FROM mem.brains b WHERE b.org_id = mem.current_org() AND b.id = brain AND b.created_by = mem.current_subject())
        AND NOT EXISTS (SELECT 1 FROM mem.brain_access a WHERE a.org_id = mem.current_org() AND a.brain_id = brain));
END
$$;

-- Opens a look of the request's key into a brain that its subject does not reach; false when there is no such brain. Only a live key with the
-- capability admin, not acting for anybody, within its own list of brains.
CREATE FUNCTION mem.break_glass(look uuid, brain uuid, why text, begins timestamptz, ends timestamptz) RETURNS boolean
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
  AS $$
DECLARE
  org uuid := mem.current_org();
  key text := current_setting('mem.key_id', true);
BEGIN
  PERFORM 1 FROM mem.api_keys k
    WHERE k.org_id = org AND k.id = key AND k.subject_id = mem.current_subject() AND 'admin' = ANY (k.capabilities)
      AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()) AND (k.brains IS NULL OR brain = ANY (k.brains));
  IF NOT FOUND THEN
    RAISE EXCEPTION 'break_glass: not a key of an administrator' USING ERRCODE = 'insufficient_privilege';
  END IF;
  PERFORM 1 FROM mem.brains b WHERE b.org_id = org AND b.id = brain;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  INSERT INTO mem.looks (org_id, id, brain_id, key_id, subject_id, reason, begins_at, ends_at)
    VALUES (org, look, brain, key, mem.current_subject(), why, begins, ends);
  RETURN true;
END
$$;

-- Ends a look of a brain before its time; false when there is no such look. One that is over stays as it is.
CREATE FUNCTION mem.end_look(brain uuid, look uuid, at timestamptz) RETURNS boolean
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
  AS $$
BEGIN
  PERFORM 1 FROM mem.api_keys k
    WHERE k.org_id = mem.current_org() AND k.id = current_setting('mem.key_id', true) AND k.subject_id = mem.current_subject()
      AND 'admin' = ANY (k.capabilities) AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now());
  IF NOT FOUND THEN
    RAISE EXCEPTION 'end_look: not a key of an administrator' USING ERRCODE = 'insufficient_privilege';
  END IF;
  UPDATE mem.looks l SET ended_at = least(at, l.ends_at)
    WHERE l.org_id = mem.current_org() AND l.brain_id = brain AND l.id = look AND l.ended_at IS NULL;
  RETURN EXISTS (SELECT 1 FROM mem.looks l WHERE l.org_id = mem.current_org() AND l.brain_id = brain AND l.id = look);
END
$$;

-- Derives brain_access of one brain from its members, teams expanded one level, and nobody below what the whole org has, so that one row
-- tells a subject's role. Called in the transaction that changes membership.
CREATE FUNCTION mem.rebuild_brain_access(org uuid, brain uuid) RETURNS void
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
  AS $$
DECLARE
  of_everybody integer;
BEGIN
  IF org IS DISTINCT FROM mem.current_org() THEN
    RAISE EXCEPTION 'rebuild_brain_access: not the current org' USING ERRCODE = 'insufficient_privilege';
  END IF;
  -- INVARIANT: one rebuild of a brain at a time; the second sees the first one's members.
  PERFORM 1 FROM mem.brains b WHERE b.org_id = org AND b.id = brain FOR UPDATE;
  DELETE FROM mem.brain_access a WHERE a.org_id = org AND a.brain_id = brain;
  SELECT coalesce(max(CASE m.role WHEN 'admin' THEN 3 WHEN 'writer' THEN 2 ELSE 1 END), 0) INTO of_everybody
    FROM mem.brain_members m WHERE m.org_id = org AND m.brain_id = brain AND m.member_id = org;
  INSERT INTO mem.brain_access (org_id, subject_id, brain_id, role)
  SELECT org, x.subject_id, brain,
         CASE greatest(max(x.strength), of_everybody) WHEN 3 THEN 'admin' WHEN 2 THEN 'writer' ELSE 'reader' END
    FROM (
      SELECT m.member_id AS subject_id, CASE m.role WHEN 'admin' THEN 3 WHEN 'writer' THEN 2 ELSE 1 END AS strength
        FROM mem.brain_members m WHERE m.org_id = org AND m.brain_id = brain
      UNION ALL
      SELECT t.subject_id, CASE m.role WHEN 'admin' THEN 3 WHEN 'writer' THEN 2 ELSE 1 END
        FROM mem.brain_members m
        JOIN mem.team_members t ON t.org_id = m.org_id AND t.team_id = m.member_id
       WHERE m.org_id = org AND m.brain_id = brain AND t.org_id = org
    ) x
   GROUP BY x.subject_id;
END
$$;

-- The same for every brain that a team is a member of. Called in the transaction that changes the team.
CREATE FUNCTION mem.rebuild_team_access(org uuid, team uuid) RETURNS void
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
  AS $$
DECLARE
  brain uuid;
BEGIN
  IF org IS DISTINCT FROM mem.current_org() THEN
    RAISE EXCEPTION 'rebuild_team_access: not the current org' USING ERRCODE = 'insufficient_privilege';
  END IF;
  FOR brain IN SELECT m.brain_id FROM mem.brain_members m WHERE m.org_id = org AND m.member_id = team ORDER BY m.brain_id LOOP
    PERFORM mem.rebuild_brain_access(org, brain);
  END LOOP;
END
$$;

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

-- Deletes the questions of these recalls that nothing refers to any more, whoever asked them. Called in the transaction that deletes outcomes.
CREATE FUNCTION mem.forget_questions(org uuid, recalls uuid[]) RETURNS integer
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
  AS $$
DECLARE
  gone integer;
BEGIN
  IF org IS DISTINCT FROM mem.current_org() THEN
    RAISE EXCEPTION 'forget_questions: not the current org' USING ERRCODE = 'insufficient_privilege';
  END IF;
  -- INVARIANT: locked first, so that the next statement sees the outcome of whoever gave one and had the question locked, and so that of two
  -- who delete the last two outcomes the second finds none. Whoever gives an outcome takes the outcome and then the question, as here.
  PERFORM 1 FROM mem.feedback_queries q WHERE q.org_id = org AND q.id = ANY (recalls) ORDER BY q.id FOR UPDATE;
  DELETE FROM mem.feedback_queries q WHERE q.org_id = org AND q.id = ANY (recalls)
    AND NOT EXISTS (SELECT 1 FROM mem.outcomes o WHERE o.org_id = org AND o.recall_id = q.id);
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END
$$;

-- Memories of the current org whose duplicate key is of the first form, a byte shorter than those of today; at most so many, by brain and id.
-- A job without a brain would see none of them. Called by upkeep every few seconds. Index: memories_old_key_idx.
CREATE FUNCTION mem.list_old_keys(most integer) RETURNS TABLE (brain_id uuid, memory_id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
  AS $$
    SELECT m.brain_id, m.id
      FROM mem.memories m
     WHERE m.org_id = mem.current_org() AND octet_length(m.duplicate_key) = 32
     ORDER BY m.brain_id, m.id
     LIMIT most
  $$;

-- Deletes the oldest questions of the current org below an id, but for those that these subjects asked; at most so many, how many. A job may
-- not delete a recall by itself: each belongs to whoever asked. Called by upkeep once an hour. Index: recalls_pk.
CREATE FUNCTION mem.forget_recalls(before uuid, kept uuid[], most integer) RETURNS integer
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
  AS $$
DECLARE
  gone integer;
BEGIN
  DELETE FROM mem.recalls r WHERE r.org_id = mem.current_org() AND r.id IN (
    SELECT o.id FROM mem.recalls o
     WHERE o.org_id = mem.current_org() AND o.id < before AND o.subject_id <> ALL (kept)
     ORDER BY o.id LIMIT most);
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END
$$;

-- Memories of a kind of the current org that nobody has confirmed since a moment, no hold keeps and no legal hold covers; at most so many, by
-- brain and id. A job without a brain would see none of them. Called by upkeep once an hour, where the policy says so; reads all of the org.
CREATE FUNCTION mem.list_unconfirmed(of_kind text, before timestamptz, kept_brains uuid[], kept uuid[], most integer)
  RETURNS TABLE (brain_id uuid, memory_id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
  AS $$
    SELECT m.brain_id, m.id
      FROM mem.memories m
     WHERE m.org_id = mem.current_org() AND m.kind = of_kind AND m.status <> 'deleted' AND m.confirmed_at < before
       AND m.brain_id <> ALL (kept_brains) AND NOT m.about && kept
       AND (m.said_by IS NULL OR m.said_by <> ALL (kept)) AND m.written_by <> ALL (kept)
       AND NOT EXISTS (SELECT 1 FROM mem.holds h WHERE h.org_id = m.org_id AND h.memory_id = m.id)
     ORDER BY m.brain_id, m.id LIMIT most
  $$;

-- Every brain of the current org, by id: an erasure looks into each, as a job bound to it. Ids alone.
CREATE FUNCTION mem.list_brain_ids() RETURNS TABLE (brain_id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
  AS $$ SELECT b.id FROM mem.brains b WHERE b.org_id = mem.current_org() ORDER BY b.id $$;

-- The brain of a memory, a session or an episode of the current org, for whoever may erase without reading; NULL for none, or one that is gone.
CREATE FUNCTION mem.brain_of(what text, object uuid) RETURNS uuid
  LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
  AS $$
    SELECT m.brain_id FROM mem.memories m WHERE what = 'memory' AND m.org_id = mem.current_org() AND m.id = object AND m.status <> 'deleted'
    UNION ALL
    SELECT s.brain_id FROM mem.sessions s WHERE what = 'session' AND s.org_id = mem.current_org() AND s.id = object
    UNION ALL
    SELECT e.brain_id FROM mem.episodes e WHERE what = 'source' AND e.org_id = mem.current_org() AND e.id = object
  $$;

-- Takes subjects out of the directory: keys with their replays, platform ids, labels with where they were seen, merges, teams, memberships, the
-- subjects themselves. Brains in `homes` lose their members and their name. How many rows of each table. Called by an erasure.
CREATE FUNCTION mem.erase_people(org uuid, ids uuid[], homes uuid[]) RETURNS jsonb
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
  AS $$
DECLARE
  counts jsonb := '{}';
  gone integer;
  brain uuid;
  reached uuid[];
BEGIN
  IF org IS DISTINCT FROM mem.current_org() THEN
    RAISE EXCEPTION 'erase_people: not the current org' USING ERRCODE = 'insufficient_privilege';
  END IF;
  DELETE FROM mem.idempotency_keys i USING mem.api_keys k
   WHERE i.org_id = org AND k.org_id = org AND k.id = i.key_id AND k.subject_id = ANY (ids);
  GET DIAGNOSTICS gone = ROW_COUNT;
  counts := counts || jsonb_build_object('idempotency_keys', gone);
  DELETE FROM mem.api_keys k WHERE k.org_id = org AND k.subject_id = ANY (ids);
  GET DIAGNOSTICS gone = ROW_COUNT;
  counts := counts || jsonb_build_object('api_keys', gone);
  UPDATE mem.api_keys k SET act_as_subjects = ARRAY(SELECT x FROM unnest(k.act_as_subjects) x WHERE x <> ALL (ids))
   WHERE k.org_id = org AND k.act_as_subjects && ids;
  DELETE FROM mem.subject_identities i WHERE i.org_id = org AND i.subject_id = ANY (ids);
  GET DIAGNOSTICS gone = ROW_COUNT;
  counts := counts || jsonb_build_object('subject_identities', gone);
  DELETE FROM mem.alias_sightings s WHERE s.org_id = org AND s.subject_id = ANY (ids);
  GET DIAGNOSTICS gone = ROW_COUNT;
  counts := counts || jsonb_build_object('alias_sightings', gone);
  DELETE FROM mem.subject_aliases a WHERE a.org_id = org AND a.subject_id = ANY (ids);
  GET DIAGNOSTICS gone = ROW_COUNT;
  counts := counts || jsonb_build_object('subject_aliases', gone);
  DELETE FROM mem.subject_redirects r WHERE r.org_id = org AND (r.subject_id = ANY (ids) OR r.into_id = ANY (ids));
  GET DIAGNOSTICS gone = ROW_COUNT;
  counts := counts || jsonb_build_object('subject_redirects', gone);
  SELECT coalesce(array_agg(DISTINCT m.brain_id), '{}') INTO reached
    FROM mem.brain_members m WHERE m.org_id = org AND m.member_id = ANY (ids) AND m.brain_id <> ALL (homes);
  DELETE FROM mem.team_members t WHERE t.org_id = org AND (t.subject_id = ANY (ids) OR t.team_id = ANY (ids));
  GET DIAGNOSTICS gone = ROW_COUNT;
  counts := counts || jsonb_build_object('team_members', gone);
  DELETE FROM mem.brain_members m WHERE m.org_id = org AND (m.member_id = ANY (ids) OR m.brain_id = ANY (homes));
  GET DIAGNOSTICS gone = ROW_COUNT;
  counts := counts || jsonb_build_object('brain_members', gone);
  DELETE FROM mem.brain_access a WHERE a.org_id = org AND (a.subject_id = ANY (ids) OR a.brain_id = ANY (homes));
  FOREACH brain IN ARRAY reached LOOP
    PERFORM mem.rebuild_brain_access(org, brain);
  END LOOP;
  UPDATE mem.brains b SET name = '[ERASED]' WHERE b.org_id = org AND b.id = ANY (homes);
  DELETE FROM mem.subjects s WHERE s.org_id = org AND s.id = ANY (ids);
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN counts || jsonb_build_object('subjects', gone);
END
$$;

-- Ids of stored questions that these subjects asked, that show a memory which was deleted since a moment, that ask about these subjects, or
-- that hold what a pattern matches; by id, at most so many of those behind `after`. Ids alone: whoever erases does not read them.
CREATE FUNCTION mem.find_questions(org uuid, ids uuid[], since timestamptz, pattern text, after uuid, most integer) RETURNS TABLE (question_id uuid)
  LANGUAGE plpgsql STABLE SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
  AS $$
BEGIN
  IF org IS DISTINCT FROM mem.current_org() THEN
    RAISE EXCEPTION 'find_questions: not the current org' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN QUERY
    SELECT x.id FROM (
      SELECT r.id
        FROM mem.recalls r
       WHERE r.org_id = org AND r.id > after
         AND (r.subject_id = ANY (ids) OR r.acting_for = ANY (ids) OR r.query ~* pattern OR r.purpose ~* pattern
              OR CAST(r.filters AS text) ~* pattern
              OR EXISTS (SELECT 1 FROM unnest(ids) i (id) WHERE position(CAST(i.id AS text) IN CAST(r.filters AS text)) > 0)
              OR EXISTS (SELECT 1 FROM unnest(r.memory_ids) u (id)
                           JOIN mem.memories m ON m.org_id = org AND m.id = u.id AND m.status = 'deleted' AND m.updated_at >= since))
      UNION
      SELECT q.id
        FROM mem.feedback_queries q
       WHERE q.org_id = org AND q.id > after AND (q.subject_id = ANY (ids) OR q.query ~* pattern)
    ) x
     ORDER BY x.id
     LIMIT most;
END
$$;

-- Deletes these questions, and their copies beside feedback; how many. What became of memories that they showed stays counted.
CREATE FUNCTION mem.delete_questions(org uuid, ids uuid[]) RETURNS integer
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
  AS $$
DECLARE
  gone integer;
  copies integer;
BEGIN
  IF org IS DISTINCT FROM mem.current_org() THEN
    RAISE EXCEPTION 'delete_questions: not the current org' USING ERRCODE = 'insufficient_privilege';
  END IF;
  DELETE FROM mem.recalls r WHERE r.org_id = org AND r.id = ANY (ids);
  GET DIAGNOSTICS gone = ROW_COUNT;
  DELETE FROM mem.feedback_queries q WHERE q.org_id = org AND q.id = ANY (ids);
  GET DIAGNOSTICS copies = ROW_COUNT;
  RETURN gone + copies;
END
$$;

-- Another name for a brain in whose name somebody stood who is erased.
CREATE FUNCTION mem.set_brain_name(org uuid, brain uuid, named text) RETURNS void
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
  AS $$
BEGIN
  IF org IS DISTINCT FROM mem.current_org() THEN
    RAISE EXCEPTION 'set_brain_name: not the current org' USING ERRCODE = 'insufficient_privilege';
  END IF;
  UPDATE mem.brains b SET name = named WHERE b.org_id = org AND b.id = brain;
END
$$;

-- Makes room for the coming months in every partitioned table. Runs at start-up and once a day; a write without a partition fails.
CREATE FUNCTION mem.ensure_partitions(from_month timestamptz, months integer) RETURNS integer
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
  AS $$
DECLARE
  parent record;
  month_start timestamptz;
  part text;
  made integer := 0;
BEGIN
  IF months NOT BETWEEN 1 AND 24 THEN
    RAISE EXCEPTION 'ensure_partitions: months must be 1 to 24' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  PERFORM pg_advisory_xact_lock(7236521001);
  FOR parent IN
    SELECT c.relname FROM pg_partitioned_table p JOIN pg_class c ON c.oid = p.partrelid
      JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'mem' ORDER BY c.relname
  LOOP
    FOR i IN 0 .. months - 1 LOOP
      month_start := date_trunc('month', from_month, 'UTC') + make_interval(months => i);
      part := parent.relname || to_char(month_start AT TIME ZONE 'UTC', '"_"YYYY"_"MM');
      IF to_regclass('mem.' || quote_ident(part)) IS NULL THEN
        EXECUTE format('CREATE TABLE mem.%I PARTITION OF mem.%I FOR VALUES FROM (%L) TO (%L)', part, parent.relname,
                       mem.uuid_floor(month_start), mem.uuid_floor(date_trunc('month', month_start + interval '32 days', 'UTC')));
        -- A policy of the parent does not guard a partition that is addressed by its own name.
        EXECUTE format('ALTER TABLE mem.%I ENABLE ROW LEVEL SECURITY', part);
        -- Nor does a statement trigger of the parent; row triggers are cloned.
        IF parent.relname = 'audit_events' THEN
          EXECUTE format('CREATE TRIGGER audit_events_no_truncate BEFORE TRUNCATE ON mem.%I
            FOR EACH STATEMENT EXECUTE FUNCTION mem.refuse_change()', part);
        END IF;
        made := made + 1;
      END IF;
    END LOOP;
  END LOOP;
  RETURN made;
END
$$;

-- Gathers planner statistics of tables that grew by a fifth since the last time; how many. A new database has none, and plans made without
-- them join a few hundred rows by comparing each with each; autovacuum comes by once a minute. Called by upkeep every few seconds.
CREATE FUNCTION mem.refresh_statistics() RETURNS integer
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
  AS $$
DECLARE
  tbl text;
  done integer := 0;
BEGIN
  IF NOT pg_try_advisory_xact_lock(7236521002) THEN
    RETURN 0;
  END IF;
  FOR tbl IN
    SELECT s.relname FROM pg_stat_user_tables s
     WHERE s.schemaname = 'mem' AND s.n_mod_since_analyze > 100 + 0.2 * s.n_live_tup
     ORDER BY s.relname
  LOOP
    EXECUTE format('ANALYZE mem.%I', tbl);
    done := done + 1;
  END LOOP;
  RETURN done;
END
$$;

-- The smallest UUIDv7-ordered value of a moment: 48 bits of milliseconds since 1970, then zeros.
CREATE FUNCTION mem.uuid_floor(moment timestamptz) RETURNS uuid
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT (lpad(to_hex(floor(extract(epoch FROM moment) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid $$;

-- Makes the tables of one embedding space. The one place that knows their shape; used by `memdb migrate` and by re-embedding.
-- A zero, NaN or wrong-length vector cannot be stored: rows are unit vectors.
CREATE FUNCTION mem.make_vector_space(space text, dimension integer) RETURNS void
  LANGUAGE plpgsql VOLATILE
  AS $$
DECLARE
  live text := 'memory_vectors_' || space;
  past text := 'memory_version_vectors_' || space;
BEGIN
  IF space !~ '^[a-z0-9_]{1,30}$' OR dimension NOT BETWEEN 1 AND 4000 THEN
    RAISE EXCEPTION 'make_vector_space: name or dimension out of range' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  EXECUTE format('CREATE TABLE mem.%I (org_id uuid NOT NULL, brain_id uuid NOT NULL, memory_id uuid NOT NULL, field text NOT NULL,
    embedding halfvec(%s) NOT NULL, mac bytea,
    CONSTRAINT %I PRIMARY KEY (org_id, memory_id, field),
    CONSTRAINT %I CHECK (field IN (''text'', ''context'')),
    CONSTRAINT %I CHECK (l2_norm(embedding) BETWEEN 0.98 AND 1.02))',
    live, dimension, live || '_pk', live || '_field_ck', live || '_unit_ck');
  EXECUTE format('CREATE TABLE mem.%I (org_id uuid NOT NULL, brain_id uuid NOT NULL, memory_id uuid NOT NULL, version integer NOT NULL,
    embedding halfvec(%s) NOT NULL, mac bytea,
    CONSTRAINT %I PRIMARY KEY (org_id, memory_id, version),
    CONSTRAINT %I CHECK (l2_norm(embedding) BETWEEN 0.98 AND 1.02))',
    past, dimension, past || '_pk', past || '_unit_ck');
  EXECUTE format('ALTER TABLE mem.%I ADD CONSTRAINT %I FOREIGN KEY (org_id, memory_id) REFERENCES mem.memories (org_id, id) ON DELETE CASCADE',
    live, live || '_fk');
  EXECUTE format('ALTER TABLE mem.%I ADD CONSTRAINT %I FOREIGN KEY (org_id, memory_id, version)
    REFERENCES mem.memory_versions (org_id, memory_id, version) ON DELETE CASCADE', past, past || '_fk');
  -- vector branch in large scopes. With pgvector's ef_construction of 64 the graph missed some isolated clusters among 200,000 rows (recall@10
  -- 0.978 and 0.917 of 60 and 12 questions); 128 found all of them and takes 1.8 times as long to build.
  EXECUTE format('CREATE INDEX %I ON mem.%I USING hnsw (embedding halfvec_cosine_ops) WITH (ef_construction = 128)', live || '_hnsw', live);
  -- vector branch in small scopes
  EXECUTE format('CREATE INDEX %I ON mem.%I (org_id, brain_id)', live || '_brain_idx', live);
  -- vector branch over superseded versions (exact within the scope)
  EXECUTE format('CREATE INDEX %I ON mem.%I (org_id, brain_id)', past || '_brain_idx', past);
  PERFORM mem.guard_content(live);
  PERFORM mem.guard_content(past);
  EXECUTE format('GRANT SELECT ON mem.%I, mem.%I TO memdb_search', live, past);
  EXECUTE format('CREATE POLICY search_all ON mem.%I FOR SELECT TO memdb_search USING (true)', live);
  EXECUTE format('CREATE POLICY search_all ON mem.%I FOR SELECT TO memdb_search USING (true)', past);
END
$$;

-- Row-level security of a table whose rows belong to a brain: readers read, writers write.
CREATE FUNCTION mem.guard_content(tbl text) RETURNS void
  LANGUAGE plpgsql VOLATILE
  AS $$
BEGIN
  EXECUTE format('ALTER TABLE mem.%I ENABLE ROW LEVEL SECURITY', tbl);
  EXECUTE format('CREATE POLICY app_read ON mem.%I FOR SELECT TO memdb_app USING (org_id = mem.current_org() AND mem.can_read(brain_id))', tbl);
  EXECUTE format('CREATE POLICY app_insert ON mem.%I FOR INSERT TO memdb_app WITH CHECK (org_id = mem.current_org() AND mem.can_write(brain_id))', tbl);
  EXECUTE format('CREATE POLICY app_update ON mem.%I FOR UPDATE TO memdb_app USING (org_id = mem.current_org() AND mem.can_write(brain_id))
    WITH CHECK (org_id = mem.current_org() AND mem.can_write(brain_id))', tbl);
  EXECUTE format('CREATE POLICY app_delete ON mem.%I FOR DELETE TO memdb_app USING (org_id = mem.current_org() AND mem.can_write(brain_id))', tbl);
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON mem.%I TO memdb_app', tbl);
END
$$;

-- Row-level security of a table whose rows belong to an org but to no brain.
CREATE FUNCTION mem.guard_org(tbl text, privileges text) RETURNS void
  LANGUAGE plpgsql VOLATILE
  AS $$
BEGIN
  EXECUTE format('ALTER TABLE mem.%I ENABLE ROW LEVEL SECURITY', tbl);
  EXECUTE format('CREATE POLICY app_org ON mem.%I TO memdb_app USING (org_id = mem.current_org()) WITH CHECK (org_id = mem.current_org())', tbl);
  EXECUTE format('GRANT %s ON mem.%I TO memdb_app', privileges, tbl);
END
$$;

CREATE FUNCTION mem.refuse_change() RETURNS trigger
  LANGUAGE plpgsql
  AS $$ BEGIN RAISE EXCEPTION 'audit events are append-only' USING ERRCODE = 'insufficient_privilege'; END $$;

-- Lets an event wait for its place in the chain, whoever writes it.
CREATE FUNCTION mem.await_sealing() RETURNS trigger
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
  AS $$
BEGIN
  INSERT INTO mem.audit_pending (org_id, event_id) VALUES (NEW.org_id, NEW.id);
  RETURN NULL;
END
$$;

-- -------------------------------------------------------------------------------------------------------------- triggers
-- A row trigger does not stop TRUNCATE, hence the statement trigger. Retention detaches and drops whole partitions.
CREATE TRIGGER audit_events_append_only BEFORE UPDATE OR DELETE ON mem.audit_events
  FOR EACH ROW EXECUTE FUNCTION mem.refuse_change();
CREATE TRIGGER audit_events_no_truncate BEFORE TRUNCATE ON mem.audit_events
  FOR EACH STATEMENT EXECUTE FUNCTION mem.refuse_change();
CREATE TRIGGER audit_events_await_sealing AFTER INSERT ON mem.audit_events
  FOR EACH ROW EXECUTE FUNCTION mem.await_sealing();
CREATE TRIGGER audit_chain_append_only BEFORE UPDATE OR DELETE ON mem.audit_chain
  FOR EACH ROW EXECUTE FUNCTION mem.refuse_change();
CREATE TRIGGER audit_chain_no_truncate BEFORE TRUNCATE ON mem.audit_chain
  FOR EACH STATEMENT EXECUTE FUNCTION mem.refuse_change();

-- --------------------------------------------------------------------------------------------------- row-level security
SELECT mem.guard_content('memories');
SELECT mem.guard_content('memory_versions');
SELECT mem.guard_content('memory_index');
SELECT mem.guard_content('memory_version_index');
SELECT mem.guard_content('episodes');
SELECT mem.guard_content('fragments');
SELECT mem.guard_content('memory_fragments');
SELECT mem.guard_content('entities');
SELECT mem.guard_content('memory_entities');
SELECT mem.guard_content('links');
SELECT mem.guard_content('holds');
SELECT mem.guard_content('session_holds');
SELECT mem.guard_content('topics');
SELECT mem.guard_content('units');
SELECT mem.guard_content('conflicts');
SELECT mem.guard_content('term_stats');
SELECT mem.guard_content('term_deltas');
SELECT mem.guard_content('corpus_stats');
SELECT mem.guard_content('forgotten');
SELECT mem.guard_content('sessions');
SELECT mem.guard_content('turns');
SELECT mem.guard_content('snapshots');
SELECT mem.guard_content('extractions');
SELECT mem.guard_content('derivations');
SELECT mem.guard_content('reconciliations');

-- Counters: whoever reads a memory counts as access, so readers update them.
ALTER TABLE mem.memory_stats ENABLE ROW LEVEL SECURITY;
CREATE POLICY app_read ON mem.memory_stats FOR SELECT TO memdb_app USING (org_id = mem.current_org() AND mem.can_read(brain_id));
CREATE POLICY app_insert ON mem.memory_stats FOR INSERT TO memdb_app WITH CHECK (org_id = mem.current_org() AND mem.is_member(brain_id));
CREATE POLICY app_update ON mem.memory_stats FOR UPDATE TO memdb_app
  USING (org_id = mem.current_org() AND mem.is_member(brain_id)) WITH CHECK (org_id = mem.current_org() AND mem.is_member(brain_id));
CREATE POLICY app_delete ON mem.memory_stats FOR DELETE TO memdb_app USING (org_id = mem.current_org() AND mem.is_member(brain_id));
GRANT SELECT, INSERT, UPDATE, DELETE ON mem.memory_stats TO memdb_app;

-- The directory of an org: ids and labels of its subjects. What is said about them stands in memories, behind brains.
SELECT mem.guard_org('subjects', 'SELECT, INSERT, UPDATE');
SELECT mem.guard_org('subject_identities', 'SELECT, INSERT, UPDATE, DELETE');
SELECT mem.guard_org('subject_aliases', 'SELECT, INSERT, UPDATE, DELETE');
SELECT mem.guard_org('subject_redirects', 'SELECT, INSERT, DELETE');
SELECT mem.guard_org('team_members', 'SELECT, INSERT, DELETE');
SELECT mem.guard_org('api_keys', 'SELECT, INSERT, UPDATE');
SELECT mem.guard_org('policies', 'SELECT, INSERT');
SELECT mem.guard_org('idempotency_keys', 'SELECT, INSERT, DELETE');
SELECT mem.guard_org('hold_actions', 'SELECT, INSERT, UPDATE');
SELECT mem.guard_org('hold_targets', 'SELECT, INSERT, DELETE');
SELECT mem.guard_org('embedding_pending', 'SELECT, INSERT, UPDATE, DELETE');
SELECT mem.guard_org('erasures', 'SELECT, INSERT, UPDATE');
SELECT mem.guard_org('erasure_decisions', 'SELECT, INSERT, UPDATE');
SELECT mem.guard_org('erasure_ledger', 'SELECT, INSERT');

-- Whoever reads a brain may tell where a label was seen.
ALTER TABLE mem.alias_sightings ENABLE ROW LEVEL SECURITY;
CREATE POLICY app_read ON mem.alias_sightings FOR SELECT TO memdb_app
  USING (org_id = mem.current_org() AND (brain_id IS NULL OR mem.can_read(brain_id)));
CREATE POLICY app_insert ON mem.alias_sightings FOR INSERT TO memdb_app
  WITH CHECK (org_id = mem.current_org() AND (brain_id IS NULL OR mem.is_member(brain_id)));
CREATE POLICY app_update ON mem.alias_sightings FOR UPDATE TO memdb_app
  USING (org_id = mem.current_org() AND (brain_id IS NULL OR mem.is_member(brain_id)))
  WITH CHECK (org_id = mem.current_org() AND (brain_id IS NULL OR mem.is_member(brain_id)));
GRANT SELECT, INSERT, UPDATE ON mem.alias_sightings TO memdb_app;

ALTER TABLE mem.brains ENABLE ROW LEVEL SECURITY;
CREATE POLICY app_read ON mem.brains FOR SELECT TO memdb_app USING (org_id = mem.current_org() AND mem.can_read(id));
CREATE POLICY app_insert ON mem.brains FOR INSERT TO memdb_app WITH CHECK (org_id = mem.current_org());
CREATE POLICY app_update ON mem.brains FOR UPDATE TO memdb_app USING (org_id = mem.current_org() AND mem.can_set_members(id))
  WITH CHECK (org_id = mem.current_org());
GRANT SELECT, INSERT, UPDATE ON mem.brains TO memdb_app;

ALTER TABLE mem.brain_members ENABLE ROW LEVEL SECURITY;
CREATE POLICY app_read ON mem.brain_members FOR SELECT TO memdb_app USING (org_id = mem.current_org() AND mem.can_read(brain_id));
CREATE POLICY app_insert ON mem.brain_members FOR INSERT TO memdb_app WITH CHECK (org_id = mem.current_org() AND mem.can_set_members(brain_id));
CREATE POLICY app_update ON mem.brain_members FOR UPDATE TO memdb_app USING (org_id = mem.current_org() AND mem.can_set_members(brain_id))
  WITH CHECK (org_id = mem.current_org() AND mem.can_set_members(brain_id));
CREATE POLICY app_delete ON mem.brain_members FOR DELETE TO memdb_app USING (org_id = mem.current_org() AND mem.can_set_members(brain_id));
GRANT SELECT, INSERT, UPDATE, DELETE ON mem.brain_members TO memdb_app;

-- Shown to whoever looked and to those who read the brain; opened and ended through functions alone.
ALTER TABLE mem.looks ENABLE ROW LEVEL SECURITY;
CREATE POLICY app_read ON mem.looks FOR SELECT TO memdb_app
  USING (org_id = mem.current_org() AND (subject_id = mem.current_subject() OR mem.can_read(brain_id)));
GRANT SELECT ON mem.looks TO memdb_app;

-- Own reach only; changed through mem.rebuild_brain_access().
ALTER TABLE mem.brain_access ENABLE ROW LEVEL SECURITY;
CREATE POLICY app_read ON mem.brain_access FOR SELECT TO memdb_app
  USING (org_id = mem.current_org() AND (subject_id IN (mem.current_subject(), mem.current_org()) OR mem.can_read(brain_id)));
GRANT SELECT ON mem.brain_access TO memdb_app;

-- Append-only by grant and by trigger. The sealer reads what waits, chains it and lets it wait no more.
ALTER TABLE mem.audit_events ENABLE ROW LEVEL SECURITY;
CREATE POLICY app_read ON mem.audit_events FOR SELECT TO memdb_app USING (org_id = mem.current_org());
CREATE POLICY app_insert ON mem.audit_events FOR INSERT TO memdb_app WITH CHECK (org_id = mem.current_org());
GRANT SELECT, INSERT ON mem.audit_events TO memdb_app;
SELECT mem.guard_org('audit_pending', 'SELECT, DELETE');
SELECT mem.guard_org('audit_chain', 'SELECT, INSERT');

-- A stored query is content of whoever asked.
ALTER TABLE mem.recalls ENABLE ROW LEVEL SECURITY;
CREATE POLICY app_read ON mem.recalls FOR SELECT TO memdb_app USING (org_id = mem.current_org() AND subject_id = mem.current_subject());
CREATE POLICY app_insert ON mem.recalls FOR INSERT TO memdb_app WITH CHECK (org_id = mem.current_org() AND subject_id = mem.current_subject());
GRANT SELECT, INSERT ON mem.recalls TO memdb_app;

-- Whoever reads a memory may say what became of it, each for themselves; a job counts. Those who may delete a memory delete what was said.
ALTER TABLE mem.outcomes ENABLE ROW LEVEL SECURITY;
CREATE POLICY app_read ON mem.outcomes FOR SELECT TO memdb_app USING (org_id = mem.current_org() AND mem.can_read(brain_id));
CREATE POLICY app_insert ON mem.outcomes FOR INSERT TO memdb_app
  WITH CHECK (org_id = mem.current_org() AND subject_id = mem.current_subject() AND mem.is_member(brain_id));
CREATE POLICY app_update ON mem.outcomes FOR UPDATE TO memdb_app
  USING (org_id = mem.current_org() AND (mem.current_subject() IS NULL OR subject_id = mem.current_subject()) AND mem.is_member(brain_id))
  WITH CHECK (org_id = mem.current_org() AND (mem.current_subject() IS NULL OR subject_id = mem.current_subject()) AND mem.is_member(brain_id));
CREATE POLICY app_delete ON mem.outcomes FOR DELETE TO memdb_app USING (org_id = mem.current_org() AND mem.can_write(brain_id));
GRANT SELECT, INSERT, UPDATE, DELETE ON mem.outcomes TO memdb_app;

-- Whoever reads a memory may ask for a review of it; who may delete it, or a job, closes one.
ALTER TABLE mem.review_requests ENABLE ROW LEVEL SECURITY;
CREATE POLICY app_read ON mem.review_requests FOR SELECT TO memdb_app USING (org_id = mem.current_org() AND mem.can_read(brain_id));
CREATE POLICY app_insert ON mem.review_requests FOR INSERT TO memdb_app
  WITH CHECK (org_id = mem.current_org() AND mem.is_member(brain_id));
CREATE POLICY app_update ON mem.review_requests FOR UPDATE TO memdb_app
  USING (org_id = mem.current_org() AND mem.is_member(brain_id)) WITH CHECK (org_id = mem.current_org() AND mem.is_member(brain_id));
CREATE POLICY app_delete ON mem.review_requests FOR DELETE TO memdb_app USING (org_id = mem.current_org() AND mem.can_write(brain_id));
GRANT SELECT, INSERT, UPDATE, DELETE ON mem.review_requests TO memdb_app;

-- As the recall that it is copied from.
ALTER TABLE mem.feedback_queries ENABLE ROW LEVEL SECURITY;
CREATE POLICY app_own ON mem.feedback_queries TO memdb_app
  USING (org_id = mem.current_org() AND subject_id = mem.current_subject())
  WITH CHECK (org_id = mem.current_org() AND subject_id = mem.current_subject());
GRANT SELECT, INSERT, UPDATE ON mem.feedback_queries TO memdb_app;

-- What the search role may see, and only while a branch runs.
GRANT SELECT ON mem.memory_index, mem.memory_version_index, mem.term_stats, mem.term_deltas, mem.corpus_stats TO memdb_search;
CREATE POLICY search_all ON mem.memory_index FOR SELECT TO memdb_search USING (true);
CREATE POLICY search_all ON mem.memory_version_index FOR SELECT TO memdb_search USING (true);
CREATE POLICY search_all ON mem.term_stats FOR SELECT TO memdb_search USING (true);
CREATE POLICY search_all ON mem.term_deltas FOR SELECT TO memdb_search USING (true);
CREATE POLICY search_all ON mem.corpus_stats FOR SELECT TO memdb_search USING (true);
-- The graph: of fragments only where they stand, never their text.
GRANT SELECT ON mem.entities, mem.memory_entities, mem.links, mem.memory_fragments TO memdb_search;
GRANT SELECT (org_id, brain_id, id, episode_id, position) ON mem.fragments TO memdb_search;
CREATE POLICY search_all ON mem.entities FOR SELECT TO memdb_search USING (true);
CREATE POLICY search_all ON mem.memory_entities FOR SELECT TO memdb_search USING (true);
CREATE POLICY search_all ON mem.links FOR SELECT TO memdb_search USING (true);
CREATE POLICY search_all ON mem.memory_fragments FOR SELECT TO memdb_search USING (true);
CREATE POLICY search_all ON mem.fragments FOR SELECT TO memdb_search USING (true);
-- Topics and which memory stands for one.
GRANT SELECT ON mem.topics, mem.units TO memdb_search;
CREATE POLICY search_all ON mem.topics FOR SELECT TO memdb_search USING (true);
CREATE POLICY search_all ON mem.units FOR SELECT TO memdb_search USING (true);
-- Of feedback neither notes nor questions.
GRANT SELECT (org_id, recall_id, memory_id, key_id, subject_id, brain_id, outcome, created_at, counted_as) ON mem.outcomes TO memdb_search;
GRANT SELECT (org_id, id, space, embedding) ON mem.feedback_queries TO memdb_search;
CREATE POLICY search_all ON mem.outcomes FOR SELECT TO memdb_search USING (true);
CREATE POLICY search_all ON mem.feedback_queries FOR SELECT TO memdb_search USING (true);
-- Which sessions are due, how much of them is open, and which extractions are not done: ids, counts, times and codes, never what was said.
GRANT SELECT (org_id, brain_id, id, due_at, next_position, open_from, open_since) ON mem.sessions TO memdb_search;
GRANT SELECT ON mem.extractions TO memdb_search;
CREATE POLICY search_all ON mem.sessions FOR SELECT TO memdb_search USING (true);
CREATE POLICY search_all ON mem.extractions FOR SELECT TO memdb_search USING (true);
-- What a quarantine selects by and follows, and what is held: ids, kinds and moments, never what is said.
GRANT SELECT (org_id, id, brain_id, kind, status, written_by, written_key, created_at) ON mem.memories TO memdb_search;
GRANT SELECT (org_id, id, brain_id, external_id) ON mem.episodes TO memdb_search;
GRANT SELECT ON mem.holds, mem.session_holds, mem.snapshots, mem.derivations TO memdb_search;
CREATE POLICY search_all ON mem.memories FOR SELECT TO memdb_search USING (true);
CREATE POLICY search_all ON mem.episodes FOR SELECT TO memdb_search USING (true);
CREATE POLICY search_all ON mem.holds FOR SELECT TO memdb_search USING (true);
CREATE POLICY search_all ON mem.session_holds FOR SELECT TO memdb_search USING (true);
CREATE POLICY search_all ON mem.snapshots FOR SELECT TO memdb_search USING (true);
CREATE POLICY search_all ON mem.derivations FOR SELECT TO memdb_search USING (true);
GRANT SELECT ON mem.review_requests TO memdb_search;
CREATE POLICY search_all ON mem.review_requests FOR SELECT TO memdb_search USING (true);

REVOKE EXECUTE ON FUNCTION mem.list_brain_ids() FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION mem.brain_of(text, uuid) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION mem.erase_people(uuid, uuid[], uuid[]) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION mem.find_questions(uuid, uuid[], timestamptz, text, uuid, integer) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION mem.delete_questions(uuid, uuid[]) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION mem.set_brain_name(uuid, uuid, text) FROM PUBLIC;
-- ---------------------------------------------------------------------------------------------------------------- grants
GRANT USAGE ON SCHEMA mem TO memdb_app, memdb_search;
GRANT SELECT ON mem.orgs, mem.embedding_spaces, mem.schema_versions, mem.secret_keys TO memdb_app;
-- A new root key is recorded when it seals its first row.
GRANT INSERT ON mem.secret_keys TO memdb_app;
REVOKE EXECUTE ON FUNCTION mem.rebuild_brain_access(uuid, uuid) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION mem.rebuild_team_access(uuid, uuid) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION mem.forget_questions(uuid, uuid[]) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION mem.list_old_keys(integer) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION mem.forget_recalls(uuid, uuid[], integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION mem.list_brain_ids() TO memdb_app;
GRANT EXECUTE ON FUNCTION mem.brain_of(text, uuid) TO memdb_app;
GRANT EXECUTE ON FUNCTION mem.erase_people(uuid, uuid[], uuid[]) TO memdb_app;
GRANT EXECUTE ON FUNCTION mem.find_questions(uuid, uuid[], timestamptz, text, uuid, integer) TO memdb_app;
GRANT EXECUTE ON FUNCTION mem.delete_questions(uuid, uuid[]) TO memdb_app;
GRANT EXECUTE ON FUNCTION mem.set_brain_name(uuid, uuid, text) TO memdb_app;
REVOKE EXECUTE ON FUNCTION mem.list_unconfirmed(text, timestamptz, uuid[], uuid[], integer) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION mem.ensure_partitions(timestamptz, integer) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION mem.refresh_statistics() FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION mem.make_vector_space(text, integer) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION mem.guard_content(text) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION mem.guard_org(text, text) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION mem.role_in(uuid) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION mem.break_glass(uuid, uuid, text, timestamptz, timestamptz) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION mem.end_look(uuid, uuid, timestamptz) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION mem.await_sealing() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION mem.rebuild_brain_access(uuid, uuid) TO memdb_app;
GRANT EXECUTE ON FUNCTION mem.rebuild_team_access(uuid, uuid) TO memdb_app;
GRANT EXECUTE ON FUNCTION mem.forget_questions(uuid, uuid[]) TO memdb_app;
GRANT EXECUTE ON FUNCTION mem.list_old_keys(integer) TO memdb_app;
GRANT EXECUTE ON FUNCTION mem.forget_recalls(uuid, uuid[], integer) TO memdb_app;
GRANT EXECUTE ON FUNCTION mem.list_unconfirmed(text, timestamptz, uuid[], uuid[], integer) TO memdb_app;
GRANT EXECUTE ON FUNCTION mem.ensure_partitions(timestamptz, integer) TO memdb_app;
GRANT EXECUTE ON FUNCTION mem.refresh_statistics() TO memdb_app;
GRANT EXECUTE ON FUNCTION mem.role_in(uuid) TO memdb_app;
GRANT EXECUTE ON FUNCTION mem.break_glass(uuid, uuid, text, timestamptz, timestamptz) TO memdb_app;
GRANT EXECUTE ON FUNCTION mem.end_look(uuid, uuid, timestamptz) TO memdb_app;
