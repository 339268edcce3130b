-- Lines of the ledger by sender go in the order in which senders fell silent.

create index trap_source_ledger_silent on trap_source_ledger (last_time);
