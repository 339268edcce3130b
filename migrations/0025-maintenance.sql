-- Maintenance windows: what they cover, and when.

create table maintenance (
  id bigint primary key,
  name text not null,
  name_key text not null,
  owner text,
  reason text,
  exectime_type integer,
  start_day text,
  end_day text,
  start_time text,
  end_time text,
  selected_week_day text,
  minutes integer,
  -- Where it was said for how many minutes: from then, and until then.
  from_time bigint not null,
  until_time bigint not null,
  -- It was ended early: between these it is not in force, whatever else it says.
  ended_from bigint not null,
  ended_until bigint not null,
  device text not null,
  interface text not null,
  view text not null,
  zone text not null,
  event text not null
);
create unique index maintenance_name on maintenance (name_key);

-- To whom an entry goes: 1 the clients that asked for everything, 2 those that asked for causes alone, 3 both, 0 nobody.
alter table alarm_log add column audience integer not null default 3;
-- What those see who asked for it, and nobody else.
alter table alarm_log add column more text not null default '';

-- Pushes from before this time were not given to the client; 0: whatever was pushed counts as given.
alter table registration add column given_from bigint not null default 0;
