-- People and how they are reached: gateways, contacts, teams and channels.
-- beside: 0.2.0

create table gateway (
  id bigint primary key,
  name text not null,
  name_key text not null,
  kind text not null,
  enabled integer,
  description text,
  address_hint text,
  host text,
  port integer,
  security text,
  user_name text,
  sender text,
  template text,
  method text,
  content_type text,
  body text,
  version text,
  inform integer,
  auth_algorithm text,
  priv_algorithm text,
  engine_id text,
  secret_set text not null
);
create unique index gateway_name on gateway (name_key);
create index gateway_kind on gateway (kind, id);

create table contact (
  id bigint primary key,
  name text not null,
  name_key text not null,
  operator_id bigint,
  time_zone text,
  quiet_from text,
  quiet_to text,
  quiet_level integer
);
create unique index contact_name on contact (name_key);
create index contact_operator on contact (operator_id, id);

create table team (
  id bigint primary key,
  name text not null,
  name_key text not null,
  description text,
  contact_id text not null
);
create unique index team_name on team (name_key);

create table channel (
  id bigint primary key,
  -- Absent: it belongs to nobody.
  contact_id bigint,
  gateway_id bigint not null,
  name text,
  address text,
  position integer,
  delay integer,
  confirmed integer not null,
  confirmed_time bigint not null,
  -- The code that was sent to confirm the address: its keyed digest, until when it is accepted, how often it was tried,
  -- and how many were sent since when.
  code_digest text not null default '',
  code_until bigint not null default 0,
  code_tries integer not null default 0,
  code_sent integer not null default 0,
  code_since bigint not null default 0
);
create index channel_contact on channel (contact_id, id);
create index channel_gateway on channel (gateway_id, id);
create index channel_confirmed on channel (confirmed, id);
