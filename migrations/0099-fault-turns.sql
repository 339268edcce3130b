-- beside: 0.2.0
-- What traps and syslog messages have lately reported of a fault that both can report, so that the later report of the
-- same beginning or end is recognised.

create table fault_turn (
  device_id bigint not null,
  resource text not null,
  alarm_type text not null,
  -- The turns from fault to recovery and back, and how far each sense has reported them, as JSON.
  turns text not null,
  changed_at bigint not null,
  -- A fault of which it is not clear yet whether it has ended: when it was received, and all that the alarm would say.
  held_at bigint,
  held text,
  primary key (device_id, resource, alarm_type)
);
create index fault_turn_time on fault_turn (changed_at);
create index fault_turn_held on fault_turn (held_at) where held_at is not null;
