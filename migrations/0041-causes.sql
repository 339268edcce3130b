-- Alarms that mean "out of reach", and what follows from them.

alter table alarm add column out_of_reach integer not null default 0;
-- The open alarm that this one follows from by the topology, and until when one is waited for; 0: none, not at all.
alter table alarm add column cause_id bigint not null default 0;
alter table alarm add column cause_until bigint not null default 0;

create index alarm_out_of_reach on alarm (device_id, id) where out_of_reach = 1 and rec_status = 0;
create index alarm_cause on alarm (cause_id, id) where cause_id > 0 and cause_until = 0 and rec_status = 0;
create index alarm_cause_until on alarm (cause_until, id) where cause_until > 0 and rec_status = 0;
