-- By what clients are chosen is written down with each alarm and each entry of the log as it was then: the end of an alarm
-- goes to all who could have been given it, whatever its level or its device's views have become.

-- A list of [level, views] for each time it was pushed; null and * where that is not known any more.
alter table alarm add column pushed text not null default '[[null,"*"]]';
update alarm set pushed = '[[' || alarm_level || ',"*"]]' where rec_status = 0;

-- The views that the device was in, as a list with commas; * where that is not known.
alter table alarm_log add column views text not null default '*';
