-- Devices as they appear in alarms, what an event means, alarms, the log of their changes, and recent traps.

create table alarm_category (
  id bigint primary key,
  name text not null,
  name_key text not null
);
create index alarm_category_name on alarm_category (name_key, id);

create table trap_event (
  id bigint primary key,
  event_oid text not null,
  name text not null,
  name_key text not null,
  alarm_level integer not null,
  alarm_category integer not null,
  alarm_desc text,
  handling integer,
  parameter text not null,
  recovers text not null
);
create unique index trap_event_oid on trap_event (event_oid);
create index trap_event_name on trap_event (name_key, id);
create index trap_event_level on trap_event (alarm_level, id);
create index trap_event_category on trap_event (alarm_category, id);

create table custom_view (
  id bigint primary key,
  name text not null,
  name_key text not null,
  all_devices integer,
  member text not null
);
create unique index custom_view_name on custom_view (name_key);

create table alarm (
  id bigint primary key,
  oid text not null,
  original_type integer not null,
  device_id bigint not null,
  device_ip text not null,
  device_name text not null,
  alarm_level integer not null,
  alarm_category integer not null,
  fault_time bigint not null,
  rec_time bigint not null,
  rec_status integer not null,
  rec_user_name text,
  ack_time bigint not null,
  ack_status integer not null,
  ack_user_name text,
  alarm_desc text,
  paras text,
  parent_id bigint not null,
  som_state integer not null,
  is_receover_fault integer not null,
  recover_fault_id_list text not null,
  remark text,
  event_name text not null,
  alarm_type text not null,
  resource text not null,
  repeats bigint not null,
  last_time bigint not null
);
-- The identity of an alarm: device, resource and type; one of each is open at a time.
create unique index alarm_open on alarm (device_id, resource, alarm_type) where rec_status = 0;
create index alarm_availability on alarm (device_id, id) where rec_status = 0 and alarm_category = 2;
-- The order in which recovered alarms are forgotten; a new alarm does not pay for it.
create index alarm_ended on alarm (rec_time, id) where rec_status = 1;
create index alarm_open_level on alarm (alarm_level) where rec_status = 0;
create index alarm_device on alarm (device_id, id);
create index alarm_status on alarm (rec_status, id);
create index alarm_acknowledged on alarm (ack_status, id);
create index alarm_level on alarm (alarm_level, id);
create index alarm_time on alarm (fault_time, id);
create index alarm_event on alarm (oid, id);

-- Numbers come from a counter row in the same transaction, so that they become visible in order.
create table alarm_log (
  number bigint primary key,
  kind text not null,
  at bigint not null,
  alarm_id bigint not null,
  oid text not null,
  device_id bigint not null,
  device_ip text not null,
  alarm_level integer not null,
  cleared text not null,
  alarm text not null
);

-- Every start of the service opens an epoch: a position from another history is noticed.
create table epoch (
  number bigint primary key,
  first_entry bigint not null,
  started_at bigint not null
);

create table trap (
  id bigint primary key,
  received_time bigint not null,
  source_ip text not null,
  version text not null,
  oid text not null,
  device_id bigint not null,
  event_name text,
  bin text not null,
  reason text not null,
  alarm_id bigint,
  variables text not null
);

create table trap_ledger (
  bin text not null,
  reason text not null,
  n bigint not null,
  last_time bigint not null,
  last_source text not null,
  primary key (bin, reason)
);

-- Clocks of SNMPv3 engines, so that a replay is refused across restarts.
create table snmp_engine (
  engine_id text primary key,
  boots bigint not null,
  time bigint not null,
  received_at bigint not null
);
