-- How many alarms each maintenance window has held back, and when last.

create table maintenance_hit (
  maintenance_id bigint primary key,
  hits bigint not null,
  last_hit bigint not null
);
