-- Written in the part of SQL that SQLite and PostgreSQL share. Columns named …_key hold what is searched and sorted by:
-- letter case removed, addresses in fixed width.

create table counter (
  name text primary key,
  value bigint not null
);

create table tally (
  table_name text not null,
  column_name text not null,
  value text not null,
  n bigint not null,
  primary key (table_name, column_name, value)
);

create table zone (
  id bigint primary key,
  name text not null,
  name_key text not null,
  description text
);
create unique index zone_name on zone (name_key);

create table report_template (
  id bigint primary key,
  name text not null,
  name_key text not null,
  location text,
  report_type_id bigint,
  report_type_name text not null,
  report_type_name_key text not null,
  custome_def integer,
  parameter text not null,
  operator_group text not null
);
create index report_template_definition on report_template (custome_def, id);
create index report_template_name on report_template (name_key);
create index report_template_type on report_template (report_type_name_key);

create table mac_access_bind (
  id bigint primary key,
  terminal_mac text not null,
  terminal_mac_key text not null,
  terminal_name text,
  terminal_name_key text not null,
  bind_type integer not null,
  maintainer text,
  maintainer_key text not null,
  if_info text not null
);
create unique index mac_access_bind_mac on mac_access_bind (terminal_mac_key);
create index mac_access_bind_name on mac_access_bind (terminal_name_key, id);
create index mac_access_bind_maintainer on mac_access_bind (maintainer_key, id);
create index mac_access_bind_type on mac_access_bind (bind_type, id);

create table mac_access_bind_interface (
  bind_id bigint not null,
  device_id bigint not null,
  if_index bigint not null,
  primary key (bind_id, device_id, if_index)
);
create index mac_access_bind_interface_device on mac_access_bind_interface (device_id, if_index, bind_id);
create index mac_access_bind_interface_index on mac_access_bind_interface (if_index, bind_id);

create table ip_scope (
  id bigint primary key,
  start_ip text not null,
  start_ip_key text not null,
  end_ip text not null,
  end_ip_key text not null,
  name text not null,
  name_key text not null,
  description text,
  parent_id bigint not null,
  -- Every address from the start up to here is taken, or lies in a child segment.
  free_from text not null default ''
);
create index ip_scope_in_parent on ip_scope (parent_id, id);
create index ip_scope_parent on ip_scope (parent_id, start_ip_key);
create index ip_scope_name on ip_scope (parent_id, name_key, id);
create index ip_scope_range on ip_scope (start_ip_key, end_ip_key);

create table assigned_ip (
  id bigint primary key,
  ip text not null,
  ip_key text not null,
  name text,
  name_key text not null,
  description text,
  description_key text not null,
  parent_id bigint not null
);
create unique index assigned_ip_address on assigned_ip (ip_key);
create index assigned_ip_in_scope on assigned_ip (parent_id, ip_key, id);
create index assigned_ip_name on assigned_ip (parent_id, name_key, id);
create index assigned_ip_description on assigned_ip (parent_id, description_key);
create index assigned_ip_text on assigned_ip (parent_id, ip);

create table trap_rule (
  id bigint primary key,
  trap_rule_name text,
  trap_rule_name_key text not null,
  trap_oid text,
  trap_group integer,
  exectime_type integer,
  start_day text,
  end_day text,
  start_time text,
  end_time text,
  selected_week_day text,
  trap_device text not null,
  trap_interfaces text not null
);
create index trap_rule_name on trap_rule (trap_rule_name_key, id);
create index trap_rule_group on trap_rule (trap_group, id);
create index trap_rule_oid on trap_rule (trap_oid);

create table device (
  id bigint primary key,
  ip text not null,
  ip_key text not null,
  label text not null,
  label_key text not null,
  interfaces text not null,
  other_address text not null
);
create index device_ip on device (ip_key, id);
create index device_ip_text on device (ip);
create index device_label on device (label_key, id);

-- Every address of every device, so that a sender is found by any of them.
create table device_address (
  ip text primary key,
  device_id bigint not null
);
create index device_address_device on device_address (device_id);
