-- name: defer_jobs
-- Puts jobs into the queue, in the order given, except those that wait there already, and those that were begun within `believed_s` seconds
-- and are being done. Its tables hold ids and belong to no org.
-- Indexes: procrastinate_jobs_queueing_lock_idx_v1, procrastinate_jobs_lock_idx_v1 (little is being done), procrastinate_events_job_id_fkey_v1.
SELECT memdb_jobs.procrastinate_defer_jobs_v1(
         array_agg(
           ROW(CAST(:queue AS text), j.task, 0, NULL, j.once, j.args,
               CASE WHEN j.wait_s > 0 THEN now() + make_interval(secs => j.wait_s) END)::memdb_jobs.procrastinate_job_to_defer_v1
           ORDER BY j.place
         )
       )
  FROM ROWS FROM (jsonb_to_recordset(CAST(:jobs AS jsonb)) AS (task text, args jsonb, once text, wait_s double precision))
       WITH ORDINALITY AS j (task, args, once, wait_s, place)
 WHERE NOT EXISTS (SELECT 1 FROM memdb_jobs.procrastinate_jobs q WHERE q.queueing_lock = j.once AND q.status = 'todo')
   AND NOT EXISTS (
         SELECT 1
           FROM memdb_jobs.procrastinate_jobs q
           JOIN memdb_jobs.procrastinate_events e ON e.job_id = q.id AND e.type = 'started'
          WHERE q.queueing_lock = j.once AND q.status = 'doing' AND e.at > now() - make_interval(secs => :believed_s)
       )
HAVING count(*) > 0

-- name: count_jobs
-- Jobs of the queue by state, of every org: what was done is deleted, so the table holds what waits, what is under way and what failed.
-- Index: procrastinate_jobs_queue_name_idx_v1.
SELECT CAST(q.status AS text) AS state, count(*) AS jobs FROM memdb_jobs.procrastinate_jobs q WHERE q.queue_name = :queue GROUP BY q.status

-- name: count_workers
-- Workers that have given a sign of life within some seconds. Index: idx_procrastinate_workers_last_heartbeat.
SELECT count(*) AS workers
  FROM memdb_jobs.procrastinate_workers w
 WHERE w.last_heartbeat > now() - make_interval(secs => CAST(:within_s AS double precision))

-- name: count_under_way
-- Extractions of an org that a living worker has in hand, by handler. Index: idx_procrastinate_jobs_worker_not_null.
SELECT q.args ->> 'handler' AS handler, count(*) AS jobs
  FROM memdb_jobs.procrastinate_jobs q
  JOIN memdb_jobs.procrastinate_workers w ON w.id = q.worker_id
 WHERE q.worker_id IS NOT NULL AND q.status = 'doing' AND q.task_name = CAST(:task AS text) AND q.args ->> 'org_id' = CAST(:org_id AS text)
       AND w.last_heartbeat > now() - make_interval(secs => CAST(:within_s AS double precision))
 GROUP BY q.args ->> 'handler'

-- name: delete_jobs
-- What the queue holds of an org that is erased. The queue is small; its rows hold ids.
DELETE FROM memdb_jobs.procrastinate_jobs q WHERE q.args ->> 'org_id' = CAST(:org_id AS text)
