"""Public suites for the security of agent memory, run against memdb over HTTP with the policy as shipped."""
