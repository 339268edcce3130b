-- beside: 0.2.0
-- By what names a trap and a syslog message call the same thing that they identify differently, such as a fan, and which
-- alarm stands for its faults.

create table fault_name (
  device_id bigint not null,
  name text not null,
  -- The alarm: as it is identified by whichever reported the thing first.
  resource text not null,
  alarm_type text not null,
  -- How traps and messages identify it; null until they have reported it.
  by_trap text,
  by_message text,
  -- Whether several things of the device have this name: then each report is about what it identifies.
  several integer not null,
  changed_at bigint not null,
  primary key (device_id, name)
);
create index fault_name_time on fault_name (changed_at);
