-- Clients that registered for alarms by a uuid: a cursor over the alarm log each.

create table registration (
  uuid text primary key,
  -- Changes with every registration: an older connection finds that it has been taken over.
  owner text not null,
  query text not null,
  -- Everything up to here counts as received; replay starts behind it.
  cursor bigint not null,
  -- How far was written.
  position bigint not null,
  connected integer not null,
  created_at bigint not null,
  last_seen bigint not null,
  last_write bigint not null,
  -- 1: forgotten after a long absence; remains so that the gap can be told.
  expired integer not null
);
create index registration_seen on registration (connected, last_seen);
