import time, statistics, asyncio
from memdb.directory.authentication import Authenticator
async def test_lat(runtime, org, client):
    a = Authenticator(runtime.database, runtime.clock, runtime.keyring)
    ts=[]
    for _ in range(300):
        t=time.perf_counter(); await a.authenticate(org.key, None, None); ts.append((time.perf_counter()-t)*1e3)
    print("auth p50 %.2f min %.2f p95 %.2f" % (statistics.median(ts), min(ts), sorted(ts)[285]))
    ts=[]
    for _ in range(100):
        t=time.perf_counter(); await client.get("/v1/brains", headers=org.headers); ts.append((time.perf_counter()-t)*1e3)
    print("GET brains p50 %.2f min %.2f" % (statistics.median(ts), min(ts)))
    ts=[]
    for _ in range(100):
        t=time.perf_counter(); await client.get("/healthz"); ts.append((time.perf_counter()-t)*1e3)
    print("healthz p50 %.2f min %.2f" % (statistics.median(ts), min(ts)))
