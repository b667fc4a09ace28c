"""The write path: redact, inspect, enrich, scope, embed, episode, policy, store."""
