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
