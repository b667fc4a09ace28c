"""Names of people and places, looked for where a policy asks for it."""
