-- name: count_turn_faults
-- What must not be of any org's sessions, in one look: positions that no turn has or that two have, turns ahead of their session's count,
-- turns before open_from in no snapshot or in two, snapshots that reach beyond open_from, and extractions that wait since before a moment.
-- Run as the owner, who sees every org. Indexes: turns_session_idx of each partition (in order and without the rows, so that 100,000 turns take a
-- fraction of a second), snapshots_first_uq, extractions_unfinished_idx.
WITH said AS (
  SELECT t.org_id, t.session_id, count(*) AS turns, count(DISTINCT t.position) AS positions, max(t.position) + 1 AS following
    FROM mem.turns t
   GROUP BY t.org_id, t.session_id
), runs AS (
  SELECT n.org_id, n.session_id, n.first_position, n.last_position,
         coalesce(max(n.last_position) OVER (PARTITION BY n.org_id, n.session_id ORDER BY n.first_position
                                             ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), -1) AS before
    FROM mem.snapshots n
), cut AS (
  SELECT r.org_id, r.session_id, max(r.last_position) + 1 AS following,
         sum(greatest(0, least(r.first_position, s.open_from) - r.before - 1)) AS holes,
         sum(greatest(0, least(r.last_position, r.before) - r.first_position + 1)) AS overlaps,
         count(*) FILTER (WHERE r.last_position >= s.open_from) AS beyond
    FROM runs r
    JOIN mem.sessions s ON s.org_id = r.org_id AND s.id = r.session_id
   GROUP BY r.org_id, r.session_id
)
SELECT count(*) AS sessions,
       coalesce(sum(d.turns), 0)::bigint AS turns,
       coalesce(sum(greatest(0, s.next_position, d.following) - coalesce(d.positions, 0)), 0)::bigint AS gaps,
       coalesce(sum(d.turns - d.positions), 0)::bigint AS doubles,
       coalesce(sum(greatest(0, coalesce(d.following, 0) - s.next_position)), 0)::bigint AS ahead,
       coalesce(sum(coalesce(c.holes, 0) + greatest(0, s.open_from - coalesce(c.following, 0))), 0)::bigint AS in_none,
       coalesce(sum(c.overlaps), 0)::bigint AS in_several,
       coalesce(sum(c.beyond), 0)::bigint AS beyond,
       (SELECT count(*) FROM mem.extractions e WHERE e.state = 'waiting' AND e.changed_at < %(before)s) AS stuck
  FROM mem.sessions s
  LEFT JOIN said d ON d.org_id = s.org_id AND d.session_id = s.id
  LEFT JOIN cut c ON c.org_id = s.org_id AND c.session_id = s.id
