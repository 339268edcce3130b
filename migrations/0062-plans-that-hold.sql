-- A condition that says which device makes SQLite plan every statement with "device_id = ?" anew each time it is given
-- a device: it has to look whether this is the one. Nothing is asked with "device_id < ?", so no plan depends on this.

drop index alarm_own;
create index alarm_own on alarm (rec_status, alarm_type, resource) where device_id < 1;
