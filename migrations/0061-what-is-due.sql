-- What is due is looked for every second. The state comes first in these indexes: where it stood in their conditions,
-- SQLite preferred the index of all open alarms, and read each of them.

drop index alarm_shelved;
create index alarm_shelved on alarm (rec_status, shelved_until, id) where shelved_until > 0;
drop index alarm_suppressed;
create index alarm_suppressed on alarm (rec_status, fault_time, id) where suppressed = 1;
drop index alarm_cause;
create index alarm_cause on alarm (rec_status, cause_id, id) where cause_id > 0 and cause_until = 0;
drop index alarm_cause_until;
create index alarm_cause_until on alarm (rec_status, cause_until, id) where cause_until > 0;
-- So are alarms of the service about itself, among those of senders that are no devices.
create index alarm_own on alarm (rec_status, alarm_type, resource) where device_id = 0;
