-- beside: 0.2.0
-- Round trips, and for how long devices answered: by day, and by half hours for some days.

create table reach_day (
  device_id bigint not null,
  -- Days since 1970, in UTC.
  day integer not null,
  -- Questions that were answered, and those that were not.
  answers integer not null,
  losses integer not null,
  -- Seconds.
  answering bigint not null,
  silent bigint not null,
  -- How many round trips were measured, and their sum and longest in microseconds.
  trips integer not null,
  trip_sum bigint not null,
  trip_max bigint not null,
  -- The same by half hours, one line each; empty once they are old.
  half_hours text not null,
  primary key (device_id, day)
);
create index reach_day_day on reach_day (day, device_id);
create index reach_day_half_hours on reach_day (day) where half_hours <> '';

-- The round trip of the last answer that was written, in microseconds; 0: none was measured.
alter table reachability add column round_trip bigint not null default 0;
