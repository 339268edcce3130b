-- Hosts that are no devices share device 0: their alarms are told apart by the address.
drop index alarm_open;
create unique index alarm_open on alarm (device_id, resource, alarm_type, (case when device_id = 0 then device_ip else '' end)) where rec_status = 0;
