-- beside: 0.2.0
-- What syslog messages mean, as users have defined it.

create table message_definition (
  id bigint primary key,
  name text not null,
  name_key text not null,
  code text not null,
  word text not null,
  network text not null,
  message text not null,
  unless text,
  key text not null,
  raises text not null,
  clears text not null,
  event_oid text,
  alarm_level integer,
  alarm_category integer,
  alarm_desc text,
  description text
);
create unique index message_definition_name on message_definition (name_key);
