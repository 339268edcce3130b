-- beside: 0.2.0
-- What devices said when they were asked whether an open alarm is still so.

create table alarm_check (
  -- The alarm.
  id bigint primary key,
  device_id bigint not null,
  -- When somebody wanted to know; 0: nobody waits.
  requested bigint not null default 0,
  -- When the device was last asked, and what came of it: open, over, unclear or silent.
  asked bigint not null default 0,
  result text not null default '',
  value text not null default '',
  problem text not null default '',
  -- What the device called the part that the alarm is about.
  name text not null default '',
  -- When the first of the two questions was sent that found it over.
  first_asked bigint not null default 0,
  -- Whether the leader has to end the alarm.
  attention integer not null default 0
);
create index alarm_check_requested on alarm_check (id) where requested > 0;
create index alarm_check_attention on alarm_check (id) where attention = 1;
