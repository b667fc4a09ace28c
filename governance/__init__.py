"""Ground floor: the rules, as pure code. No database, no network, no clock; time is an argument."""
