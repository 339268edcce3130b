-- What was written to a client on three connections counts as delivered: how far the last ones came.

alter table registration add column written_once bigint not null default 0;
alter table registration add column written_twice bigint not null default 0;
create index registration_holder on registration (holder, expired, connected, last_seen);
