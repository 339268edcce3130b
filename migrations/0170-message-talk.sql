-- beside: 0.2.0
-- How much devices say by syslog. Every node adds what it has heard; the leader takes it, and judges who has fallen silent.

create table message_heard (
  -- 0: a node that listens.
  device_id bigint primary key,
  n bigint not null,
  first_at bigint not null,
  last_at bigint not null
);
create table message_talk (
  device_id bigint primary key,
  state text not null
);
