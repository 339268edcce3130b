-- Reports that run: what templates select, who sees them, their types as records, and the results of runs.

-- Which report a pre-defined template runs; empty for all others.
alter table report_template add column report text not null default '';
-- What a custom one selects: the data, its columns and filter, by what it is grouped, and what is drawn.
alter table report_template add column data text;
alter table report_template add column column_names text;
alter table report_template add column filter_text text;
alter table report_template add column group_by text;
alter table report_template add column chart text;

-- The groups that see a template; 0 stands for everyone.
create table report_template_group (
  template_id bigint not null,
  group_id bigint not null,
  primary key (template_id, group_id)
);
create index report_template_group_of on report_template_group (group_id, template_id);

create table report_type (
  id bigint primary key,
  name text not null,
  name_key text not null,
  description text,
  -- What custom templates of this type run that select nothing.
  report text
);
create unique index report_type_name on report_type (name_key);

-- 1 to 3 are the roles: who is in them is said by the role of an operator, in the others by a list.
create table operator_group (
  id bigint primary key,
  operator_group_name text not null,
  operator_group_name_key text not null,
  description text,
  member text not null
);
create unique index operator_group_name on operator_group (operator_group_name_key);

-- Runs, the last of each template and schedule; what they found is kept apart from what lists show.
create table report_result (
  id bigint primary key,
  template_id bigint not null,
  -- The schedule that ran it; null where somebody did.
  schedule_id bigint,
  name text not null,
  report text not null,
  -- Whether it is for administrators alone.
  confined integer not null,
  begin_time bigint not null,
  end_time bigint not null,
  made_time bigint not null,
  milliseconds bigint not null,
  run_by text not null,
  -- Why nothing was found out, where the run failed.
  failure text
);
create index report_result_template on report_result (template_id, id);
create index report_result_schedule on report_result (schedule_id, id);
create index report_result_made on report_result (made_time, id);

create table report_document (
  result_id bigint primary key,
  content text not null
);

create table report_schedule (
  id bigint primary key,
  template_id bigint not null,
  every text not null,
  time text,
  week_day integer,
  month_day integer,
  enabled integer,
  keep integer,
  parameter text not null,
  next_time bigint not null,
  last_time bigint not null,
  failure text,
  created_by text not null
);
create index report_schedule_template on report_schedule (template_id, id);
create index report_schedule_next on report_schedule (next_time) where enabled = 1;

-- Who sees results and schedules: those who see their template, as far as they are not confined.
create view report_result_group as
select r.id as result_id, g.group_id from report_result r join report_template_group g on g.template_id = r.template_id
where r.confined = 0;
create view report_schedule_group as
select s.id as schedule_id, g.group_id from report_schedule s join report_template_group g on g.template_id = s.template_id;
