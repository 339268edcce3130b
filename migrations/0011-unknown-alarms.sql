-- Open alarms of events without a definition, by device: there is a limit to them.

create table unknown_alarm (
  alarm_id bigint primary key,
  device_id bigint not null
);
create index unknown_alarm_device on unknown_alarm (device_id);

insert into unknown_alarm (alarm_id, device_id)
select id, device_id from alarm
where rec_status = 0 and original_type = 1 and alarm_type not in (select event_oid from trap_event);
