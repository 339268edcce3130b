-- beside: 0.2.0
-- What devices say of themselves when they are asked. Rows are written where something has changed.

create table device_facts (
  -- The device.
  id bigint primary key,
  sys_name text not null,
  sys_name_key text not null,
  sys_description text not null,
  sys_oid text not null,
  location text not null,
  contact text not null,
  serial_number text not null,
  model text not null,
  software text not null,
  -- Its own addresses, a JSON list.
  address text not null,
  -- When one of these was last found different, and when all were last asked for.
  learnt bigint not null,
  asked bigint not null,
  problem text not null
);
create index device_facts_name on device_facts (sys_name_key, id);

-- The names of a device's ports by index, as the inventory keeps them: for those who need nothing else, often.
create table device_port_names (
  id bigint primary key,
  interfaces text not null
);

create table port (
  id bigint primary key,
  device_id bigint not null,
  if_index bigint not null,
  name text not null,
  name_key text not null,
  description text not null,
  alias text not null,
  alias_key text not null,
  type bigint not null,
  -- Bits a second.
  speed bigint not null,
  mac text not null,
  admin_status integer not null,
  oper_status integer not null,
  -- When its state changed last, as the device says; 0: it does not.
  last_change bigint not null,
  learnt bigint not null
);
create index port_device on port (device_id, id);
create index port_index on port (device_id, if_index);
create index port_name on port (name_key, id);
create index port_alias on port (alias_key, id);
create index port_mac on port (mac, id);

create table neighbour (
  id bigint primary key,
  device_id bigint not null,
  -- Its own port; 0: unknown.
  if_index bigint not null,
  port_name text not null,
  protocol text not null,
  chassis text not null,
  sys_name text not null,
  sys_name_key text not null,
  remote_port text not null,
  remote_port_description text not null,
  address text not null,
  platform text not null,
  learnt bigint not null,
  -- Whether the device did not name it when it was last asked.
  missing integer not null default 0
);
create index neighbour_device on neighbour (device_id, id);
create index neighbour_name on neighbour (sys_name_key, id);
create index neighbour_protocol on neighbour (protocol, id);

create table device_change (
  id bigint primary key,
  device_id bigint not null,
  -- 0: it is not about a port.
  if_index bigint not null,
  port_name text not null,
  time bigint not null,
  kind text not null,
  old_value text not null,
  new_value text not null
);
create index device_change_device on device_change (device_id, id);
create index device_change_kind on device_change (kind, id);
create index device_change_time on device_change (time, id);
