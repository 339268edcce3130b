-- Where terminals are, where they were, and the alarms about them.

alter table mac_access_bind add column vlan integer;
alter table assigned_ip add column terminal_mac text;

create table terminal (
  id bigint primary key,
  terminal_mac text not null,
  device_id bigint not null,
  device_ip text not null,
  if_index bigint,
  port text,
  ip text,
  ip_key text not null,
  vlan integer,
  since bigint not null,
  last_time bigint not null,
  source text not null,
  present integer not null,
  bound integer not null,
  violation integer not null,
  reason text
);
create unique index terminal_of_mac on terminal (terminal_mac);
create index terminal_place on terminal (device_id, if_index, id);
create index terminal_address on terminal (ip_key, id);
create index terminal_seen on terminal (last_time, id);
create index terminal_violation on terminal (violation, id);

-- The places where a terminal has been.
create table terminal_stay (
  id bigint primary key,
  terminal_mac text not null,
  device_id bigint not null,
  device_ip text not null,
  if_index bigint,
  port text,
  ip text,
  ip_key text not null,
  vlan integer,
  since bigint not null,
  last_time bigint not null
);
create index terminal_stay_of_mac on terminal_stay (terminal_mac, id);
create index terminal_stay_place on terminal_stay (device_id, if_index, id);
create index terminal_stay_address on terminal_stay (ip_key, id);
create index terminal_stay_end on terminal_stay (last_time, id);

-- Open alarms about terminals, by terminal and by port: there is a limit to them at each port. The one that stands for
-- further ones names no terminal.
create table terminal_alarm (
  alarm_id bigint primary key,
  terminal_mac text not null,
  device_id bigint not null,
  device_ip text not null,
  resource text not null,
  alarm_type text not null,
  port text not null
);
create index terminal_alarm_of_mac on terminal_alarm (terminal_mac);
create index terminal_alarm_port on terminal_alarm (device_id, device_ip, port);
create index terminal_alarm_resource on terminal_alarm (resource);
