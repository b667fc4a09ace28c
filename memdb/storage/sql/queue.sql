-- name: defer_jobs
-- Puts jobs into the queue, in the order given, except those that wait there already. Its tables hold ids and belong to no org.
-- Index: procrastinate_jobs_queueing_lock_idx_v1.
SELECT memdb_jobs.procrastinate_defer_jobs_v1(
         array_agg(
           ROW(CAST(:queue AS text), j.task, 0, NULL, j.once, j.args, NULL)::memdb_jobs.procrastinate_job_to_defer_v1
           ORDER BY j.place
         )
       )
  FROM ROWS FROM (jsonb_to_recordset(CAST(:jobs AS jsonb)) AS (task text, args jsonb, once text))
       WITH ORDINALITY AS j (task, args, once, place)
 WHERE NOT EXISTS (SELECT 1 FROM memdb_jobs.procrastinate_jobs q WHERE q.queueing_lock = j.once AND q.status = 'todo')
HAVING count(*) > 0
