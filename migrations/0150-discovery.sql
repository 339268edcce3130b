-- beside: 0.2.0
-- Searches for devices in ranges of addresses, and what the last run of each has found.

create table discovery (
  id bigint primary key,
  name text not null,
  name_key text not null,
  description text,
  address_range text not null,
  neighbour_range text not null,
  zone_id bigint not null,
  state text not null,
  problem text not null,
  began bigint not null,
  ended bigint not null,
  -- When the run last wrote how far it is.
  progress_time bigint not null,
  total bigint not null,
  asked bigint not null,
  answering bigint not null,
  refusing bigint not null,
  known bigint not null,
  named bigint not null,
  -- Identifies the run under way: an older one that wakes up again finds another, and ends.
  run text not null
);
create unique index discovery_name on discovery (name_key);
create index discovery_name_id on discovery (name_key, id);

create table discovered (
  id bigint primary key,
  discovery_id bigint not null,
  ip text not null,
  ip_key text not null,
  state text not null,
  reason text not null,
  problem text not null,
  profile_id bigint not null,
  sys_name text not null,
  sys_name_key text not null,
  sys_description text not null,
  sys_oid text not null,
  location text not null,
  serial_number text not null,
  model text not null,
  software text not null,
  -- Its other addresses within the ranges, a JSON list.
  other_address text not null,
  named_by text not null,
  first_found bigint not null,
  last_found bigint not null
);
create unique index discovered_ip on discovered (discovery_id, ip);
create index discovered_discovery on discovered (discovery_id, id);
create index discovered_key on discovered (ip_key, id);
create index discovered_name on discovered (sys_name_key, id);
