-- Who is on call when, heartbeats, and links by which people act.
-- beside: 0.2.0

create table schedule (
  id bigint primary key,
  name text not null,
  name_key text not null,
  description text,
  time_zone text not null,
  -- JSON: the layers from the lowest to the highest, with their contacts.
  layer text not null
);
create unique index schedule_name on schedule (name_key);
create index schedule_name_id on schedule (name_key, id);

-- The contacts in the layers of schedules.
create table schedule_contact (
  schedule_id bigint not null,
  contact_id bigint not null,
  primary key (contact_id, schedule_id)
);
create index schedule_contact_schedule on schedule_contact (schedule_id);

create table schedule_override (
  id bigint primary key,
  schedule_id bigint not null,
  contact_id bigint not null,
  from_time bigint not null,
  to_time bigint not null,
  reason text,
  created_by text not null
);
create index schedule_override_schedule on schedule_override (schedule_id, id);
create index schedule_override_contact on schedule_override (contact_id, id);
create index schedule_override_from on schedule_override (from_time, id);
create index schedule_override_to on schedule_override (to_time, id);

-- Addresses by which calendars read shifts.
create table calendar_feed (
  id bigint primary key,
  operator_id bigint,
  schedule_id bigint,
  contact_id bigint,
  description text,
  created_time bigint not null,
  -- SHA-256 of the secret in the address.
  hash text not null default ''
);
create index calendar_feed_operator on calendar_feed (operator_id, id);
create index calendar_feed_hash on calendar_feed (hash);

-- Programs that report in regularly.
create table heartbeat (
  id bigint primary key,
  name text not null,
  name_key text not null,
  description text,
  every_seconds integer not null,
  grace_seconds integer,
  enabled integer,
  last_time bigint not null,
  since_time bigint not null
);
create unique index heartbeat_name on heartbeat (name_key);
create index heartbeat_name_id on heartbeat (name_key, id);

-- What was done by links in messages: each link can do each thing once.
create table action_use (
  link text not null,
  action text not null,
  contact_id bigint not null,
  alarm_id bigint not null,
  used_time bigint not null,
  -- When the link ends, and this row with it.
  expiry_time bigint not null,
  primary key (link, action)
);
create index action_use_expiry on action_use (expiry_time);
