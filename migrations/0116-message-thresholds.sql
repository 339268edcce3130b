-- beside: 0.2.0
-- Which syslog messages are read, by facility and severity.

create table message_threshold (
  id bigint primary key,
  severity integer not null,
  facility text not null,
  device text not null,
  type_name text not null,
  zone text not null,
  description text
);
