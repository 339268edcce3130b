-- What people do with alarms between their beginning and their end, what is held back of them, and their figures.

-- The interface an alarm is about, where it is about one.
alter table alarm add column if_index bigint;
alter table alarm add column if_desc text;
-- By which trap it was raised and why, and the recovery alarm that ended it; 0 where there is none.
alter table alarm add column trap_id bigint not null default 0;
alter table alarm add column reason text not null default '';
alter table alarm add column recovered_by bigint not null default 0;
-- The entry of the log that it was raised with.
alter table alarm add column entry bigint not null default 0;
-- When it was reported again; see src/alarms/repeat-trail.ts.
alter table alarm add column repeat_trail text not null default '[]';

alter table alarm add column owner text not null default '';
alter table alarm add column note text not null default '';
alter table alarm add column ack_until bigint not null default 0;
alter table alarm add column first_ack_time bigint not null default 0;

-- What holds its pushes back, and whether anything does. `hidden`: it was never pushed to anyone.
alter table alarm add column suppressed integer not null default 0;
alter table alarm add column suppressed_by text not null default '[]';
alter table alarm add column shelved_until bigint not null default 0;
alter table alarm add column shelved_level integer not null default 0;
alter table alarm add column hidden integer not null default 0;

-- None of these costs an alarm that nothing is done with.
create index alarm_owner on alarm (owner, id) where owner <> '';
create index alarm_ack_until on alarm (ack_until, id) where ack_until > 0;
create index alarm_shelved on alarm (shelved_until, id) where shelved_until > 0;
create index alarm_suppressed on alarm (fault_time, id) where suppressed = 1 and rec_status = 0;
create index alarm_hidden on alarm (id) where hidden = 1;
create index alarm_parent on alarm (parent_id, id) where parent_id > 0;

-- What has happened to an alarm beside its beginning, its repeats and its end: each by the number of its entry in the log.
create table alarm_history (
  alarm_id bigint not null,
  entry bigint not null,
  at bigint not null,
  kind text not null,
  user_name text not null,
  detail text not null,
  -- Whether it was pushed to anyone.
  pushed integer not null,
  primary key (alarm_id, entry)
);

-- Changes of many alarms at once that are under way: a start goes on with them.
create table alarm_batch (
  id bigint primary key,
  action text not null,
  filter text not null,
  content text not null,
  user_name text not null,
  -- Alarms up to the one are done; those beyond the other came later.
  done_to bigint not null,
  up_to bigint not null,
  changed bigint not null,
  started_at bigint not null
);

-- Figures by day of what one dimension has: all, a zone, a device, an event.
create table alarm_figure (
  dimension text not null,
  day text not null,
  member text not null,
  raised bigint not null,
  acknowledged bigint not null,
  ack_time bigint not null,
  ack_most bigint not null,
  ended bigint not null,
  end_time bigint not null,
  end_most bigint not null,
  primary key (dimension, day, member)
);
create index alarm_figure_member on alarm_figure (dimension, member, day);

-- Whose an address is, and what it is called: by these it is found for a terminal of that name.
create index assigned_ip_owner on assigned_ip (name_key, id);
create index assigned_ip_called on assigned_ip (description_key, id);
