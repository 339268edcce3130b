-- How many bytes the texts of rows take that are removed when there are too many: counted from here on as rows come and go.

insert into tally (table_name, column_name, value, n)
select 'trap', 'bytes', '', sum(octet_length(variables)) from trap having count(*) > 0;

insert into tally (table_name, column_name, value, n)
select 'alarm', 'bytes', rec_status, sum(octet_length(coalesce(alarm_desc, '')) + octet_length(coalesce(paras, '')))
from alarm group by rec_status;

insert into tally (table_name, column_name, value, n)
select 'alarm_log', 'bytes', '', sum(octet_length(cleared) + octet_length(alarm)) from alarm_log having count(*) > 0;

insert into tally (table_name, column_name, value, n)
select 'audit', 'bytes', '', sum(octet_length(coalesce(detail, '')) + octet_length(coalesce(before, '')) + octet_length(coalesce(after, '')))
from audit having count(*) > 0;
