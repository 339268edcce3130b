-- Changes of many alarms at once: when one was last gone on with, when it was done, and how many alarms it found.

alter table alarm_batch add column found bigint not null default 0;
alter table alarm_batch add column touched_at bigint not null default 0;
alter table alarm_batch add column ended_at bigint not null default 0;
