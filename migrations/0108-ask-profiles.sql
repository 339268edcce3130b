-- beside: 0.2.0
-- Credentials with which devices are asked, and where they may be sent.

create table ask_profile (
  id bigint primary key,
  name text not null,
  name_key text not null,
  description text,
  version text not null,
  user_name text,
  auth_algorithm text,
  priv_algorithm text,
  -- Which secrets there are; they are sealed elsewhere.
  secret_set text not null,
  address_range text not null,
  device text not null,
  zone text not null,
  port integer not null,
  timeout_seconds integer not null,
  tries integer not null
);
create unique index ask_profile_name on ask_profile (name_key);
create index ask_profile_name_id on ask_profile (name_key, id);
