-- How many alarms are open, by level, acknowledged, held back: counted from here on as they change. Nothing reads all
-- open alarms for it any more.

insert into tally (table_name, column_name, value, n)
select 'alarm', 'open', alarm_level || ' ' || ack_status || ' ' || suppressed, count(*)
from alarm where rec_status = 0 group by alarm_level, ack_status, suppressed;

drop index alarm_open_level;
