-- A store of 0.2.0, the last release with numbered migrations: its statements in their order, then rows as it wrote them.
-- Frozen: what stores of that release hold does not change any more.

create table counter (
  name text primary key,
  value bigint not null
);
create table tally (
  table_name text not null,
  column_name text not null,
  value text not null,
  n bigint not null,
  primary key (table_name, column_name, value)
);
create table zone (
  id bigint primary key,
  name text not null,
  name_key text not null,
  description text
);
create unique index zone_name on zone (name_key);
create table report_template (
  id bigint primary key,
  name text not null,
  name_key text not null,
  location text,
  report_type_id bigint,
  report_type_name text not null,
  report_type_name_key text not null,
  custome_def integer,
  parameter text not null,
  operator_group text not null
);
create index report_template_definition on report_template (custome_def, id);
create index report_template_name on report_template (name_key);
create index report_template_type on report_template (report_type_name_key);
create table mac_access_bind (
  id bigint primary key,
  terminal_mac text not null,
  terminal_mac_key text not null,
  terminal_name text,
  terminal_name_key text not null,
  bind_type integer not null,
  maintainer text,
  maintainer_key text not null,
  if_info text not null
);
create unique index mac_access_bind_mac on mac_access_bind (terminal_mac_key);
create index mac_access_bind_name on mac_access_bind (terminal_name_key, id);
create index mac_access_bind_maintainer on mac_access_bind (maintainer_key, id);
create index mac_access_bind_type on mac_access_bind (bind_type, id);
create table mac_access_bind_interface (
  bind_id bigint not null,
  device_id bigint not null,
  if_index bigint not null,
  primary key (bind_id, device_id, if_index)
);
create index mac_access_bind_interface_device on mac_access_bind_interface (device_id, if_index, bind_id);
create index mac_access_bind_interface_index on mac_access_bind_interface (if_index, bind_id);
create table ip_scope (
  id bigint primary key,
  start_ip text not null,
  start_ip_key text not null,
  end_ip text not null,
  end_ip_key text not null,
  name text not null,
  name_key text not null,
  description text,
  parent_id bigint not null,
  -- Every address from the start up to here is taken, or lies in a child segment.
  free_from text not null default ''
);
create index ip_scope_in_parent on ip_scope (parent_id, id);
create index ip_scope_parent on ip_scope (parent_id, start_ip_key);
create index ip_scope_name on ip_scope (parent_id, name_key, id);
create index ip_scope_range on ip_scope (start_ip_key, end_ip_key);
create table assigned_ip (
  id bigint primary key,
  ip text not null,
  ip_key text not null,
  name text,
  name_key text not null,
  description text,
  description_key text not null,
  parent_id bigint not null
);
create unique index assigned_ip_address on assigned_ip (ip_key);
create index assigned_ip_in_scope on assigned_ip (parent_id, ip_key, id);
create index assigned_ip_name on assigned_ip (parent_id, name_key, id);
create index assigned_ip_description on assigned_ip (parent_id, description_key);
create index assigned_ip_text on assigned_ip (parent_id, ip);
create table trap_rule (
  id bigint primary key,
  trap_rule_name text,
  trap_rule_name_key text not null,
  trap_oid text,
  trap_group integer,
  exectime_type integer,
  start_day text,
  end_day text,
  start_time text,
  end_time text,
  selected_week_day text,
  trap_device text not null,
  trap_interfaces text not null
);
create index trap_rule_name on trap_rule (trap_rule_name_key, id);
create index trap_rule_group on trap_rule (trap_group, id);
create index trap_rule_oid on trap_rule (trap_oid);
create table device (
  id bigint primary key,
  ip text not null,
  ip_key text not null,
  label text not null,
  label_key text not null,
  interfaces text not null,
  other_address text not null
);
create index device_ip on device (ip_key, id);
create index device_ip_text on device (ip);
create index device_label on device (label_key, id);
create table device_address (
  ip text primary key,
  device_id bigint not null
);
create index device_address_device on device_address (device_id);
create table alarm_category (
  id bigint primary key,
  name text not null,
  name_key text not null
);
create index alarm_category_name on alarm_category (name_key, id);
create table trap_event (
  id bigint primary key,
  event_oid text not null,
  name text not null,
  name_key text not null,
  alarm_level integer not null,
  alarm_category integer not null,
  alarm_desc text,
  handling integer,
  parameter text not null,
  recovers text not null
);
create unique index trap_event_oid on trap_event (event_oid);
create index trap_event_name on trap_event (name_key, id);
create index trap_event_level on trap_event (alarm_level, id);
create index trap_event_category on trap_event (alarm_category, id);
create table custom_view (
  id bigint primary key,
  name text not null,
  name_key text not null,
  all_devices integer,
  member text not null
);
create unique index custom_view_name on custom_view (name_key);
create table alarm (
  id bigint primary key,
  oid text not null,
  original_type integer not null,
  device_id bigint not null,
  device_ip text not null,
  device_name text not null,
  alarm_level integer not null,
  alarm_category integer not null,
  fault_time bigint not null,
  rec_time bigint not null,
  rec_status integer not null,
  rec_user_name text,
  ack_time bigint not null,
  ack_status integer not null,
  ack_user_name text,
  alarm_desc text,
  paras text,
  parent_id bigint not null,
  som_state integer not null,
  is_receover_fault integer not null,
  recover_fault_id_list text not null,
  remark text,
  event_name text not null,
  alarm_type text not null,
  resource text not null,
  repeats bigint not null,
  last_time bigint not null
);
create unique index alarm_open on alarm (device_id, resource, alarm_type) where rec_status = 0;
create index alarm_availability on alarm (device_id, id) where rec_status = 0 and alarm_category = 2;
create index alarm_ended on alarm (rec_time, id) where rec_status = 1;
create index alarm_open_level on alarm (alarm_level) where rec_status = 0;
create index alarm_device on alarm (device_id, id);
create index alarm_status on alarm (rec_status, id);
create index alarm_acknowledged on alarm (ack_status, id);
create index alarm_level on alarm (alarm_level, id);
create index alarm_time on alarm (fault_time, id);
create index alarm_event on alarm (oid, id);
create table alarm_log (
  number bigint primary key,
  kind text not null,
  at bigint not null,
  alarm_id bigint not null,
  oid text not null,
  device_id bigint not null,
  device_ip text not null,
  alarm_level integer not null,
  cleared text not null,
  alarm text not null
);
create table epoch (
  number bigint primary key,
  first_entry bigint not null,
  started_at bigint not null
);
create table trap (
  id bigint primary key,
  received_time bigint not null,
  source_ip text not null,
  version text not null,
  oid text not null,
  device_id bigint not null,
  event_name text,
  bin text not null,
  reason text not null,
  alarm_id bigint,
  variables text not null
);
create table trap_ledger (
  bin text not null,
  reason text not null,
  n bigint not null,
  last_time bigint not null,
  last_source text not null,
  primary key (bin, reason)
);
create table snmp_engine (
  engine_id text primary key,
  boots bigint not null,
  time bigint not null,
  received_at bigint not null
);
create table registration (
  uuid text primary key,
  -- Changes with every registration: an older connection finds that it has been taken over.
  owner text not null,
  query text not null,
  -- Everything up to here counts as received; replay starts behind it.
  cursor bigint not null,
  -- How far was written.
  position bigint not null,
  connected integer not null,
  created_at bigint not null,
  last_seen bigint not null,
  last_write bigint not null,
  -- 1: forgotten after a long absence; remains so that the gap can be told.
  expired integer not null
);
create index registration_seen on registration (connected, last_seen);
create table trap_rule_hit (
  rule_id bigint primary key,
  hits bigint not null,
  last_hit bigint not null
);
create table mib_module (
  id bigint primary key,
  name text not null,
  name_key text not null,
  file text,
  loaded_time bigint not null,
  objects integer not null,
  notifications integer not null,
  remark text not null
);
create unique index mib_module_name on mib_module (name);
create index mib_module_order on mib_module (name_key, id);
create table mib_definition (
  module_id bigint primary key,
  content text not null
);
create table flapping (
  device_id bigint not null,
  resource text not null,
  alarm_type text not null,
  summary_id bigint not null,
  -- When it last turned from fault to recovery or back.
  changed_at bigint not null,
  -- Of the last fault: when it was reported last, how often, and all that the alarm would say.
  last_time bigint not null,
  repeats bigint not null,
  fault text not null,
  -- 1: the last thing seen was a fault.
  is_open integer not null,
  primary key (device_id, resource, alarm_type)
);
create table trap_source_ledger (
  source_ip text not null,
  bin text not null,
  reason text not null,
  n bigint not null,
  last_time bigint not null,
  primary key (source_ip, bin, reason)
);
create table operator (
  id bigint primary key,
  name text not null,
  name_key text not null,
  full_name text,
  role text not null,
  enabled integer,
  digest integer,
  description text
);
create unique index operator_name on operator (name_key);
create table credential (
  operator_id bigint primary key,
  -- argon2id, with its parameters.
  password text not null,
  -- What Digest needs is as good as the password itself: kept only for operators who may use it.
  sha256 text,
  md5 text,
  realm text not null,
  changed_at bigint not null
);
create table token (
  id bigint primary key,
  operator_id bigint not null,
  scope text not null,
  description text,
  -- How the token begins, so that people can tell theirs apart.
  prefix text not null,
  created_time bigint not null,
  expiry_time bigint not null,
  -- SHA-256 of the token.
  hash text not null default ''
);
create index token_operator on token (operator_id);
create table login (
  subject text primary key,
  last_time bigint not null
);
alter table registration add column holder text not null default '';
create table audit (
  id bigint primary key,
  time bigint not null,
  name text not null,
  name_key text not null,
  role text not null,
  address text not null,
  action text not null,
  resource text not null,
  resource_key text not null,
  resource_id text not null,
  resource_id_key text not null,
  count bigint not null,
  detail text,
  before text,
  after text
);
create index audit_time on audit (time, id);
create index audit_name on audit (name_key, id);
create index audit_resource on audit (resource_key, resource_id_key, id);
alter table device add column mask text;
alter table device add column sys_name text;
alter table device add column sys_name_key text not null default '';
alter table device add column sys_description text;
alter table device add column sys_oid text;
alter table device add column location text;
alter table device add column contact text;
alter table device add column type_name text;
create index device_sys_name on device (sys_name_key, id);
alter table custom_view add column up_level_symbol_id bigint;
create index custom_view_up_level on custom_view (up_level_symbol_id);
create table unknown_alarm (
  alarm_id bigint primary key,
  device_id bigint not null
);
create index unknown_alarm_device on unknown_alarm (device_id);
alter table alarm add column pushed text not null default '[[null,"*"]]';
alter table alarm_log add column views text not null default '*';
alter table registration add column written_once bigint not null default 0;
alter table registration add column written_twice bigint not null default 0;
create index registration_holder on registration (holder, expired, connected, last_seen);
create table session (
  id bigint primary key,
  operator_id bigint not null,
  -- By a password, or through OpenID Connect.
  way text not null,
  address text not null,
  agent text,
  created_time bigint not null,
  expiry_time bigint not null,
  -- SHA-256 of what the cookie holds.
  hash text not null default ''
);
create index session_operator on session (operator_id);
create table identity (
  operator_id bigint primary key,
  issuer text not null,
  subject text not null
);
create unique index identity_subject on identity (issuer, subject);
create table login_place (
  operator_id bigint not null,
  place text not null,
  last_time bigint not null,
  primary key (operator_id, place)
);
create table snmp_taken (
  -- The number by the size of the ring: a new message takes the place of the oldest.
  slot bigint primary key,
  number bigint not null,
  digest text not null
);
drop index alarm_open;
create unique index alarm_open on alarm (device_id, resource, alarm_type, (case when device_id = 0 then device_ip else '' end)) where rec_status = 0;
create index trap_source_ledger_silent on trap_source_ledger (last_time);
alter table device add column zone_id bigint not null default 1;
alter table device add column parent text not null default '[]';
create index device_zone on device (zone_id, id);
alter table ip_scope add column zone_id bigint not null default 1;
create index ip_scope_zone on ip_scope (zone_id, id);
create view ip_scope_in_zone as
with recursive inside (top_id, id, zone_id) as (
  select id, id, zone_id from ip_scope where parent_id = -1
  union all
  select inside.top_id, child.id, child.zone_id from ip_scope child join inside on child.parent_id = inside.id
)
select top_id, zone_id from inside;
create table device_parent (
  device_id bigint not null,
  position integer not null,
  parent_id bigint not null,
  -- The port at each end, where it is known.
  if_index bigint,
  parent_if_index bigint,
  primary key (device_id, position)
);
create index device_parent_parent on device_parent (parent_id, device_id);
alter table custom_view add column view text not null default '[]';
alter table trap_event add column out_of_reach integer;
alter table alarm add column if_index bigint;
alter table alarm add column if_desc text;
alter table alarm add column trap_id bigint not null default 0;
alter table alarm add column reason text not null default '';
alter table alarm add column recovered_by bigint not null default 0;
alter table alarm add column entry bigint not null default 0;
alter table alarm add column repeat_trail text not null default '[]';
alter table alarm add column owner text not null default '';
alter table alarm add column note text not null default '';
alter table alarm add column ack_until bigint not null default 0;
alter table alarm add column first_ack_time bigint not null default 0;
alter table alarm add column suppressed integer not null default 0;
alter table alarm add column suppressed_by text not null default '[]';
alter table alarm add column shelved_until bigint not null default 0;
alter table alarm add column shelved_level integer not null default 0;
alter table alarm add column hidden integer not null default 0;
create index alarm_owner on alarm (owner, id) where owner <> '';
create index alarm_ack_until on alarm (ack_until, id) where ack_until > 0;
create index alarm_shelved on alarm (shelved_until, id) where shelved_until > 0;
create index alarm_suppressed on alarm (fault_time, id) where suppressed = 1 and rec_status = 0;
create index alarm_hidden on alarm (id) where hidden = 1;
create index alarm_parent on alarm (parent_id, id) where parent_id > 0;
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
create index assigned_ip_owner on assigned_ip (name_key, id);
create index assigned_ip_called on assigned_ip (description_key, id);
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
alter table alarm_log add column audience integer not null default 3;
alter table alarm_log add column more text not null default '';
alter table registration add column given_from bigint not null default 0;
create table node (
  name text primary key,
  -- When it started, on the store's clock: tells a node from its earlier self.
  start bigint not null,
  address text not null,
  version text not null,
  last_sign bigint not null,
  -- How far its own clock is ahead of the store's, in milliseconds.
  clock_offset bigint not null,
  -- 1 after an orderly stop: nobody has to be told.
  stopped integer not null,
  -- 1 once those who settle have declared it gone.
  gone integer not null
);
create table lease (
  one integer primary key,
  holder text not null,
  start bigint not null,
  term bigint not null,
  ends_at bigint not null
);
create table fence (
  one integer primary key,
  term bigint not null,
  -- The session of the database that settles: whoever takes over may end it.
  backend text not null,
  system text not null,
  timeline bigint not null
);
create table intake_block (
  node text not null,
  start bigint not null,
  sequence bigint not null,
  -- When it was put here, on the store's clock.
  kept_at bigint not null,
  datagrams integer not null,
  -- Base64 of the packed datagrams.
  bytes text not null,
  -- What the guard against storms has counted, and what storms.
  counted text not null,
  attempts integer not null,
  -- How much of it is settled, where it is settled piece by piece.
  done integer not null,
  settled_at bigint not null,
  primary key (node, start, sequence)
);
create index intake_block_waiting on intake_block (start, node, sequence) where settled_at = 0;
create index intake_block_settled on intake_block (settled_at) where settled_at > 0;
create table intake_aside (
  node text not null,
  start bigint not null,
  sequence bigint not null,
  place integer not null,
  put_at bigint not null,
  source_ip text not null,
  bytes text not null,
  reason text not null,
  primary key (node, start, sequence, place)
);
create table intake_answer (
  id text primary key,
  node text not null,
  start bigint not null,
  made_at bigint not null,
  address text not null,
  port integer not null,
  bytes text not null
);
create index intake_answer_node on intake_answer (node, start);
create table snmp_seen (
  slot bigint primary key,
  number bigint not null,
  engine_id text not null,
  boots bigint not null,
  time bigint not null,
  digest text not null
);
create table recovery (
  device_id bigint not null,
  resource text not null,
  alarm_type text not null,
  uptime bigint not null,
  received_at bigint not null,
  primary key (device_id, resource, alarm_type)
);
create index recovery_time on recovery (received_at);
alter table epoch add column last_before bigint not null default -1;
alter table registration add column node text not null default '';
create table login_failure (
  id bigint primary key,
  -- The run of the service that saw it.
  seen_by text not null,
  -- 0 where there is no such operator.
  operator_id bigint not null,
  name_digest text not null,
  place text not null,
  at bigint not null
);
create index login_failure_at on login_failure (at);
alter table alarm_batch add column found bigint not null default 0;
alter table alarm_batch add column touched_at bigint not null default 0;
alter table alarm_batch add column ended_at bigint not null default 0;
alter table alarm add column out_of_reach integer not null default 0;
alter table alarm add column cause_id bigint not null default 0;
alter table alarm add column cause_until bigint not null default 0;
create index alarm_out_of_reach on alarm (device_id, id) where out_of_reach = 1 and rec_status = 0;
create index alarm_cause on alarm (cause_id, id) where cause_id > 0 and cause_until = 0 and rec_status = 0;
create index alarm_cause_until on alarm (cause_until, id) where cause_until > 0 and rec_status = 0;
alter table mac_access_bind add column vlan integer;
alter table assigned_ip add column terminal_mac text;
create table terminal (
  id bigint primary key,
  terminal_mac text not null,
  device_id bigint not null,
  device_ip text not null,
  if_index bigint,
  port text,
  ip text,
  ip_key text not null,
  vlan integer,
  since bigint not null,
  last_time bigint not null,
  source text not null,
  present integer not null,
  bound integer not null,
  violation integer not null,
  reason text
);
create unique index terminal_of_mac on terminal (terminal_mac);
create index terminal_place on terminal (device_id, if_index, id);
create index terminal_address on terminal (ip_key, id);
create index terminal_seen on terminal (last_time, id);
create index terminal_violation on terminal (violation, id);
create table terminal_stay (
  id bigint primary key,
  terminal_mac text not null,
  device_id bigint not null,
  device_ip text not null,
  if_index bigint,
  port text,
  ip text,
  ip_key text not null,
  vlan integer,
  since bigint not null,
  last_time bigint not null
);
create index terminal_stay_of_mac on terminal_stay (terminal_mac, id);
create index terminal_stay_place on terminal_stay (device_id, if_index, id);
create index terminal_stay_address on terminal_stay (ip_key, id);
create index terminal_stay_end on terminal_stay (last_time, id);
create table terminal_alarm (
  alarm_id bigint primary key,
  terminal_mac text not null,
  device_id bigint not null,
  device_ip text not null,
  resource text not null,
  alarm_type text not null,
  port text not null
);
create index terminal_alarm_of_mac on terminal_alarm (terminal_mac);
create index terminal_alarm_port on terminal_alarm (device_id, device_ip, port);
create index terminal_alarm_resource on terminal_alarm (resource);
alter table report_template add column report text not null default '';
alter table report_template add column data text;
alter table report_template add column column_names text;
alter table report_template add column filter_text text;
alter table report_template add column group_by text;
alter table report_template add column chart text;
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
create table operator_group (
  id bigint primary key,
  operator_group_name text not null,
  operator_group_name_key text not null,
  description text,
  member text not null
);
create unique index operator_group_name on operator_group (operator_group_name_key);
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
create view report_result_group as
select r.id as result_id, g.group_id from report_result r join report_template_group g on g.template_id = r.template_id
where r.confined = 0;
create view report_schedule_group as
select s.id as schedule_id, g.group_id from report_schedule s join report_template_group g on g.template_id = s.template_id;
create table report_measure (
  kind text not null,
  member text not null,
  at bigint not null,
  value bigint not null,
  primary key (kind, member, at)
);
create index report_measure_at on report_measure (kind, at);
create table import_progress (
  resource text not null,
  -- The SHA-256 of the file: sent again, it goes on where it broke off.
  digest text not null,
  rows_done bigint not null,
  rows_replaced bigint not null,
  time bigint not null,
  primary key (resource, digest)
);
drop index alarm_shelved;
create index alarm_shelved on alarm (rec_status, shelved_until, id) where shelved_until > 0;
drop index alarm_suppressed;
create index alarm_suppressed on alarm (rec_status, fault_time, id) where suppressed = 1;
drop index alarm_cause;
create index alarm_cause on alarm (rec_status, cause_id, id) where cause_id > 0 and cause_until = 0;
drop index alarm_cause_until;
create index alarm_cause_until on alarm (rec_status, cause_until, id) where cause_until > 0;
create index alarm_own on alarm (rec_status, alarm_type, resource) where device_id = 0;
drop index alarm_own;
create index alarm_own on alarm (rec_status, alarm_type, resource) where device_id < 1;
drop index alarm_open_level;
create table maintenance_hit (
  maintenance_id bigint primary key,
  hits bigint not null,
  last_hit bigint not null
);
drop index alarm_out_of_reach;
create index alarm_out_of_reach on alarm (device_id, if_index, id) where out_of_reach = 1 and rec_status = 0;
alter table node add column mark text not null default '';
alter table fence add column waits integer not null default 0;
alter table epoch add column told integer not null default 0;
alter table epoch add column lost_to bigint not null default -1;
alter table epoch add column ids text not null default '';
alter table registration add column unsure integer not null default 0;
create table probe (
  filler text not null
);
create table store_clock (
  one integer primary key,
  -- Milliseconds by which it has jumped while a service settled; 0 once that is undone or confirmed.
  jump bigint not null,
  -- The time to which it jumped last.
  jumped_to bigint not null,
  -- 1: an administrator has confirmed that it is right although most nodes differ from it.
  trusted integer not null
);
create table secret (
  name text primary key,
  -- The key with which it was sealed: its digest, not the key.
  key_id text not null,
  sealed text not null
);
create table installation (
  one integer primary key,
  name text not null
);
create table node_profile (
  node text primary key,
  -- The keys in its file, by their ids.
  key_ids text not null,
  -- Keyed digests of the settings that decide, by name, as JSON, and the key.
  settings text not null,
  -- When it last had other settings than before, on the store's clock.
  changed_at bigint not null
);
-- unlogged
create table nonce_secret (
  one integer primary key,
  -- Which run of which server made it, and for which table: a copy that is put back has the secret of another.
  server text not null,
  secret text not null
);
-- unlogged
create table nonce_use (
  nonce text not null,
  -- Which request with this nonce it was.
  count bigint not null,
  issued bigint not null,
  primary key (nonce, count)
);
create index nonce_use_issued on nonce_use (issued);
alter table intake_block add column seen text not null default '';
alter table identity add column signed_in bigint not null default 0;
alter table session add column present_time bigint;
create table used_sign_in (
  mark text primary key,
  used_time bigint not null
);

-- Rows
insert into migration (number, name, digest, applied_at) values (1, '0001-resources.sql', 'b393bdce51caa3f8b6d6a34832cb765d42b041bd77f3f40df127d590cc998a63', 1794969793523);
insert into migration (number, name, digest, applied_at) values (2, '0002-alarms.sql', 'b23c7ec4d9543a15d4d9d39a93e984a8e2ff12a6288097e0bb5e47dfd2969996', 1794969793568);
insert into migration (number, name, digest, applied_at) values (3, '0003-registrations.sql', '9c9d4c78ad1a5186cf8153d4207bba80c2ff6a962da3fc01c1cd2d2aa6ef586e', 1794969793632);
insert into migration (number, name, digest, applied_at) values (4, '0004-rule-hits.sql', '99e294071874589181086c8208d90acf510dec6253bd27bf57ee9890cad56866', 1794969793668);
insert into migration (number, name, digest, applied_at) values (5, '0005-mib-modules.sql', 'bf2aa11953f0cd0f81e228fca4e2b84406f40e386239bfa662662cf131330699', 1794969793692);
insert into migration (number, name, digest, applied_at) values (6, '0006-flapping.sql', '60ce961fead556cf7a7336e427b4baa6162fd4e797473663104bb17282a60fbd', 1794969793703);
insert into migration (number, name, digest, applied_at) values (7, '0007-operators.sql', '816c4b698711192c92d9f8a00cf65fb11ece5c1b8dd56d900dcc31574ac86b47', 1794969793710);
insert into migration (number, name, digest, applied_at) values (8, '0008-audit.sql', 'c93dc48ea5c3ee3733190c6785fa6ff6386c21fbe7cbc5762d8200f5ddd50472', 1794969793724);
insert into migration (number, name, digest, applied_at) values (9, '0009-device-and-view-details.sql', 'b1dcfe01cce84b0b049c5368a14113ef5749a5dcd16304d424193e35b0959456', 1794969793736);
insert into migration (number, name, digest, applied_at) values (10, '0010-bytes-kept.sql', 'cff8bff9a56aec2fbea3ae0beda416a320c006d2a639680ebcb2e8f6db87938a', 1794969793747);
insert into migration (number, name, digest, applied_at) values (11, '0011-unknown-alarms.sql', 'ae46d13e6428f8d05f3efc856e169b0dfb743c7e7e3788ae71b185bd5175d9da', 1794969793759);
insert into migration (number, name, digest, applied_at) values (13, '0013-as-what-alarms-were-pushed.sql', '40e8dd833672859c1e1ad01b7621b2be488437b846a76d19cc1a4acaaa35a18d', 1794969793765);
insert into migration (number, name, digest, applied_at) values (14, '0014-written-more-than-once.sql', '3bcf3f065f77d4b69318f9b0aba848f0244dc58ffdcc24f744078a98eaa65154', 1794969793782);
insert into migration (number, name, digest, applied_at) values (16, '0016-sessions.sql', '4cc3ed016c2e5ebbc11e280833771dc9c9795907d77f0afecf7bceeccd33187f', 1794969793791);
insert into migration (number, name, digest, applied_at) values (17, '0017-login-places.sql', '10841002da9ee4e589a3d25fc7318967947a4456e426ddb8c150b3a87c7e1065', 1794969793799);
insert into migration (number, name, digest, applied_at) values (18, '0018-messages-taken.sql', '581c940747f5d4e2ad01b7017b60c1f1e31efe2a6e41bb98e1d5b200cb7bc943', 1794969793811);
insert into migration (number, name, digest, applied_at) values (19, '0019-hosts-without-device.sql', '4a12d18a0b05b18066559df5befdb7a456667524bbe10f02f9006c749aa5a334', 1794969793819);
insert into migration (number, name, digest, applied_at) values (21, '0021-ledger-by-time.sql', '6f04b1db664f6cdb0470853fa7dbd0044f9b21528d3f1cae1e4c6f467d5fb3c9', 1794969793831);
insert into migration (number, name, digest, applied_at) values (23, '0023-zones-and-topology.sql', 'f52a169dbaab896fcf6832895ffbb62ae8a1e0e47cdd59db5e5aa671ac59051a', 1794969793835);
insert into migration (number, name, digest, applied_at) values (24, '0024-working-with-alarms.sql', '10ac323dda2d4a7f236ec47e53710354619b1b9c3c6f475208b49080308d6a5b', 1794969793857);
insert into migration (number, name, digest, applied_at) values (25, '0025-maintenance.sql', '15ef856ab9e8b4c273eba6ad1ba5faea9205b3667191e62abaf281143c871aad', 1794969793884);
insert into migration (number, name, digest, applied_at) values (30, '0030-nodes.sql', '81c8f51eec57d8824b3bfeb90d6a15de3c9de6d131d97e4ab05a4e6fe6f03a86', 1794969793891);
insert into migration (number, name, digest, applied_at) values (31, '0031-epochs-behind-a-jump.sql', '345f629513f86a6fa281c329e0b26fb9d8e90aadebc1379760831e409933faf3', 1794969793903);
insert into migration (number, name, digest, applied_at) values (35, '0035-shared-by-nodes.sql', '07e6538bb4d12f08eed495465a8fce840fa9ebbe7dbb589b96144722490c9a75', 1794969793931);
insert into migration (number, name, digest, applied_at) values (40, '0040-batches-of-alarms.sql', '34f540709c7bba828e3238b93f017ee6299a888a95895b4768d95927fc70e431', 1794969793939);
insert into migration (number, name, digest, applied_at) values (41, '0041-causes.sql', '81e20d3ba7d20385f5bf8386881dd7dd0f10dbfcf5965804358203071bb900ab', 1794969793956);
insert into migration (number, name, digest, applied_at) values (50, '0050-terminals.sql', '19c9792a017a917400de9420a2a3490b0c72ba6f7dfe428a86baa991ed346344', 1794969793975);
insert into migration (number, name, digest, applied_at) values (55, '0055-reports.sql', 'c9829d0399dd87db3c4b82aa0cce9ce774177914b33f4abfe6c0dbdd7672765a', 1794969793992);
insert into migration (number, name, digest, applied_at) values (56, '0056-report-measures.sql', 'eb4f4c8aa74747c62b296008806991b97585f89a3dcc547a416961ba1690d578', 1794969794008);
insert into migration (number, name, digest, applied_at) values (60, '0060-imports-in-pieces.sql', '22a75b39f5afa5de776d094790956e5a934129709bfc22319075c9a6b97bcc43', 1794969794020);
insert into migration (number, name, digest, applied_at) values (61, '0061-what-is-due.sql', '021c9915779cd36fa02a3bc7939c25e030228fd25d0d0255e0ea479eb95a33e9', 1794969794026);
insert into migration (number, name, digest, applied_at) values (62, '0062-plans-that-hold.sql', '66a78943ffe1dc46018bc2bd5f429706962899fde529e62158a29f2c6d92ef13', 1794969794044);
insert into migration (number, name, digest, applied_at) values (63, '0063-open-counts.sql', '3178898e0d6d01be533b7b1badc973f4a7737bd302230215673bc189df6eeb58', 1794969794052);
insert into migration (number, name, digest, applied_at) values (64, '0064-hits-of-windows.sql', '9afafb496cdbe7c5038161e02c6e33eb314510bb4e59eab6cc814cfa87686183', 1794969794061);
insert into migration (number, name, digest, applied_at) values (65, '0065-causes-at-ports.sql', '8ee5fac5c14e5ee5c5d1203eb090f0b0d6c939211480bbc3bd3be1997a596108', 1794969794063);
insert into migration (number, name, digest, applied_at) values (70, '0070-store-put-back.sql', '89fbea6418a6015ad478da0b2d910c7ca8e48df487d54c90960ef612dc0ce9a9', 1794969794073);
insert into migration (number, name, digest, applied_at) values (72, '0072-probe.sql', '5a93a6c6a9ff831cc184ef2d29f564e820cbaff5b09dc512b8d9831935d3b1f2', 1794969794092);
insert into migration (number, name, digest, applied_at) values (74, '0074-store-clock.sql', 'fb9e3460636efd11bb7bfeff36fefc99da1b2a11839699b7dfb394fabc2806d8', 1794969794096);
insert into migration (number, name, digest, applied_at) values (76, '0076-keys-of-nodes.sql', 'c7300fbe5340966acde06bf52d833897494d11356bf8f91e1985528ab2f58117', 1794969794108);
insert into migration (number, name, digest, applied_at) values (77, '0077-digest-through-nodes.sql', '14c9a65ee42cee8c7c0a42f4464d85556e5c2367904d8b016a88f227943d2876', 1794969794128);
insert into migration (number, name, digest, applied_at) values (78, '0078-what-settled-blocks-keep.sql', '2b68adef0837c7c549f71729620d40cdd431cf7bca6979b7f7f5b30b16084cd6', 1794969794141);
insert into migration (number, name, digest, applied_at) values (82, '0082-sign-ins-at-providers.sql', '7a0452de32bf1b387bae63bd7e77f50a04427766d38ad6a6860c55539f5602ec', 1794969794152);
insert into migration (number, name, digest, applied_at) values (87, '0087-presence-at-providers.sql', 'e60cd03e587fe79fd21263fa6b50b803a7679bfcb11ef26abb15de4f496ae70d', 1794969794160);
insert into counter (name, value) values ('first data', 1);
insert into counter (name, value) values ('report_template', 10);
insert into counter (name, value) values ('zone', 2);
insert into counter (name, value) values ('trap_rule', 2);
insert into counter (name, value) values ('device', 2);
insert into counter (name, value) values ('ip_scope', 2);
insert into counter (name, value) values ('assigned_ip', 1);
insert into counter (name, value) values ('mac_access_bind', 1);
insert into counter (name, value) values ('first events', 1);
insert into counter (name, value) values ('alarm_category', 15);
insert into counter (name, value) values ('trap_event', 225);
insert into counter (name, value) values ('custom_view', 3);
insert into counter (name, value) values ('alarm', 6);
insert into counter (name, value) values ('trap', 7);
insert into counter (name, value) values ('alarm log', 7);
insert into counter (name, value) values ('28 own events', 1);
insert into counter (name, value) values ('family view', 1);
insert into counter (name, value) values ('default zone', 1);
insert into counter (name, value) values ('out of reach', 1);
insert into counter (name, value) values ('reports', 1);
insert into counter (name, value) values ('operator_group', 3);
insert into counter (name, value) values ('report_type', 5);
insert into counter (name, value) values ('terminal events', 1);
insert into counter (name, value) values ('types of reports', 1);
insert into counter (name, value) values ('groups of reports', 1);
insert into counter (name, value) values ('datagrams aside without communities', 1);
insert into counter (name, value) values ('store', 31792719918758);
insert into counter (name, value) values ('starts', 1);
insert into counter (name, value) values ('audit', 44);
insert into counter (name, value) values ('maintenance', 1);
insert into counter (name, value) values ('operator', 1);
insert into counter (name, value) values ('token', 1);
insert into tally (table_name, column_name, value, n) values ('report_template', '', '', 10);
insert into tally (table_name, column_name, value, n) values ('report_template', 'custome_def', '0', 8);
insert into tally (table_name, column_name, value, n) values ('report_template', 'custome_def', '1', 2);
insert into tally (table_name, column_name, value, n) values ('zone', '', '', 2);
insert into tally (table_name, column_name, value, n) values ('trap_rule', '', '', 2);
insert into tally (table_name, column_name, value, n) values ('device', '', '', 2);
insert into tally (table_name, column_name, value, n) values ('ip_scope', '', '', 2);
insert into tally (table_name, column_name, value, n) values ('ip_scope', 'parent_id', '-1', 1);
insert into tally (table_name, column_name, value, n) values ('ip_scope', 'parent_id', '1', 1);
insert into tally (table_name, column_name, value, n) values ('assigned_ip', '', '', 1);
insert into tally (table_name, column_name, value, n) values ('assigned_ip', 'parent_id', '1', 1);
insert into tally (table_name, column_name, value, n) values ('mac_access_bind', '', '', 1);
insert into tally (table_name, column_name, value, n) values ('mac_access_bind', 'bind_type', '2', 1);
insert into tally (table_name, column_name, value, n) values ('alarm_category', '', '', 13);
insert into tally (table_name, column_name, value, n) values ('trap_event', '', '', 3);
insert into tally (table_name, column_name, value, n) values ('custom_view', '', '', 3);
insert into tally (table_name, column_name, value, n) values ('alarm', '', '', 6);
insert into tally (table_name, column_name, value, n) values ('alarm', 'alarm_level', '2', 4);
insert into tally (table_name, column_name, value, n) values ('alarm', 'rec_status', '0', 4);
insert into tally (table_name, column_name, value, n) values ('alarm', 'ack_status', '0', 5);
insert into tally (table_name, column_name, value, n) values ('trap', '', '', 7);
insert into tally (table_name, column_name, value, n) values ('alarm', 'alarm_level', '5', 1);
insert into tally (table_name, column_name, value, n) values ('alarm', 'rec_status', '1', 2);
insert into tally (table_name, column_name, value, n) values ('alarm', 'alarm_level', '1', 1);
insert into tally (table_name, column_name, value, n) values ('alarm', 'ack_status', '1', 1);
insert into tally (table_name, column_name, value, n) values ('trap', 'bytes', '', 2259);
insert into tally (table_name, column_name, value, n) values ('alarm', 'bytes', '0', 356);
insert into tally (table_name, column_name, value, n) values ('alarm', 'bytes', '1', 294);
insert into tally (table_name, column_name, value, n) values ('alarm_log', 'bytes', '', 6448);
insert into tally (table_name, column_name, value, n) values ('alarm', 'open', '1 1 0', 1);
insert into tally (table_name, column_name, value, n) values ('alarm', 'open', '2 0 0', 3);
insert into tally (table_name, column_name, value, n) values ('operator_group', '', '', 3);
insert into tally (table_name, column_name, value, n) values ('report_type', '', '', 5);
insert into tally (table_name, column_name, value, n) values ('audit', '', '', 44);
insert into tally (table_name, column_name, value, n) values ('audit', 'bytes', '', 8595);
insert into tally (table_name, column_name, value, n) values ('maintenance', '', '', 1);
insert into tally (table_name, column_name, value, n) values ('operator', '', '', 1);
insert into tally (table_name, column_name, value, n) values ('token', '', '', 1);
insert into tally (table_name, column_name, value, n) values ('token', 'operator_id', '1', 1);
insert into zone (id, name, name_key, description) values (1, 'Default', 'default', 'Everything that is in no other zone');
insert into zone (id, name, name_key, description) values (2, 'Lyon Plant', 'lyon plant', 'Production halls');
insert into report_template (id, name, name_key, location, report_type_id, report_type_name, report_type_name_key, custome_def, parameter, operator_group, report, data, column_names, filter_text, group_by, chart) values (1, 'Alarm Summary', 'alarm summary', 'alarm/summary', 1, 'Alarm Report', 'alarm report', 0, '[{"parameterName":"beginTime","dataType":"dateTime"},{"parameterName":"endTime","dataType":"dateTime"}]', '[{"operatorGroupId":"1","operatorGroupName":"Administrator Group"}]', 'alarm/summary', null, null, null, null, null);
insert into report_template (id, name, name_key, location, report_type_id, report_type_name, report_type_name_key, custome_def, parameter, operator_group, report, data, column_names, filter_text, group_by, chart) values (2, 'Top 10 Alarm Sources', 'top 10 alarm sources', 'alarm/top-sources', 1, 'Alarm Report', 'alarm report', 0, '[{"parameterName":"beginTime","dataType":"dateTime"},{"parameterName":"endTime","dataType":"dateTime"}]', '[{"operatorGroupId":"1","operatorGroupName":"Administrator Group"}]', 'alarm/top-sources', null, null, null, null, null);
insert into report_template (id, name, name_key, location, report_type_id, report_type_name, report_type_name_key, custome_def, parameter, operator_group, report, data, column_names, filter_text, group_by, chart) values (3, 'Device Availability', 'device availability', 'device/availability', 2, 'Availability Report', 'availability report', 0, '[{"parameterName":"beginTime","dataType":"dateTime"},{"parameterName":"endTime","dataType":"dateTime"}]', '[{"operatorGroupId":"1","operatorGroupName":"Administrator Group"}]', 'device/availability', null, null, null, null, null);
insert into report_template (id, name, name_key, location, report_type_id, report_type_name, report_type_name_key, custome_def, parameter, operator_group, report, data, column_names, filter_text, group_by, chart) values (4, 'Interface Availability', 'interface availability', 'interface/availability', 2, 'Availability Report', 'availability report', 0, '[{"parameterName":"beginTime","dataType":"dateTime"},{"parameterName":"endTime","dataType":"dateTime"}]', '[{"operatorGroupId":"1","operatorGroupName":"Administrator Group"}]', 'interface/availability', null, null, null, null, null);
insert into report_template (id, name, name_key, location, report_type_id, report_type_name, report_type_name_key, custome_def, parameter, operator_group, report, data, column_names, filter_text, group_by, chart) values (5, 'Assigned IP Usage', 'assigned ip usage', 'access/ip-usage', 3, 'Access Report', 'access report', 0, '[{"parameterName":"beginTime","dataType":"dateTime"},{"parameterName":"endTime","dataType":"dateTime"}]', '[{"operatorGroupId":"1","operatorGroupName":"Administrator Group"}]', 'access/ip-usage', null, null, null, null, null);
insert into report_template (id, name, name_key, location, report_type_id, report_type_name, report_type_name_key, custome_def, parameter, operator_group, report, data, column_names, filter_text, group_by, chart) values (6, 'Terminal Access Bindings', 'terminal access bindings', 'access/bindings', 3, 'Access Report', 'access report', 0, '[{"parameterName":"beginTime","dataType":"dateTime"},{"parameterName":"endTime","dataType":"dateTime"}]', '[{"operatorGroupId":"1","operatorGroupName":"Administrator Group"}]', 'access/bindings', null, null, null, null, null);
insert into report_template (id, name, name_key, location, report_type_id, report_type_name, report_type_name_key, custome_def, parameter, operator_group, report, data, column_names, filter_text, group_by, chart) values (7, 'Weekly Core Alarms', 'weekly core alarms', 'custom/weekly-core-alarms', 1, 'Alarm Report', 'alarm report', 1, '[{"parameterName":"beginTime","dataType":"dateTime"},{"parameterName":"endTime","dataType":"dateTime"}]', '[{"operatorGroupId":"1","operatorGroupName":"Administrator Group"}]', '', null, null, null, null, null);
insert into report_template (id, name, name_key, location, report_type_id, report_type_name, report_type_name_key, custome_def, parameter, operator_group, report, data, column_names, filter_text, group_by, chart) values (8, 'Mine', 'mine', null, 1, 'Alarm Report', 'alarm report', 1, '[]', '[]', '', null, null, null, null, null);
insert into report_template (id, name, name_key, location, report_type_id, report_type_name, report_type_name_key, custome_def, parameter, operator_group, report, data, column_names, filter_text, group_by, chart) values (9, 'Top Trap Senders', 'top trap senders', 'trap/senders', 4, 'Trap Report', 'trap report', 0, '[{"parameterName":"beginTime","dataType":"dateTime"},{"parameterName":"endTime","dataType":"dateTime"}]', '[{"operatorGroupId":"1","operatorGroupName":"Administrator Group"}]', 'trap/senders', null, null, null, null, null);
insert into report_template (id, name, name_key, location, report_type_id, report_type_name, report_type_name_key, custome_def, parameter, operator_group, report, data, column_names, filter_text, group_by, chart) values (10, 'Changes by Operator', 'changes by operator', 'audit/changes', 5, 'Audit Report', 'audit report', 0, '[{"parameterName":"beginTime","dataType":"dateTime"},{"parameterName":"endTime","dataType":"dateTime"}]', '[{"operatorGroupId":"1","operatorGroupName":"Administrator Group"}]', 'audit/changes', null, null, null, null, null);
insert into mac_access_bind (id, terminal_mac, terminal_mac_key, terminal_name, terminal_name_key, bind_type, maintainer, maintainer_key, if_info, vlan) values (1, '00:1b:44:11:3a:b7', '00:1b:44:11:3a:b7', 'Reception', 'reception', 2, null, '', '[{"deviceId":"1","ifIndex":"1"}]', null);
insert into mac_access_bind_interface (bind_id, device_id, if_index) values (1, 1, 1);
insert into ip_scope (id, start_ip, start_ip_key, end_ip, end_ip_key, name, name_key, description, parent_id, free_from, zone_id) values (1, '10.20.0.0', '40000000000000000000000000a140000', '10.20.0.255', '40000000000000000000000000a1400ff', 'Offices', 'offices', null, -1, '40000000000000000000000000a140001', 1);
insert into ip_scope (id, start_ip, start_ip_key, end_ip, end_ip_key, name, name_key, description, parent_id, free_from, zone_id) values (2, '10.20.0.128', '40000000000000000000000000a140080', '10.20.0.255', '40000000000000000000000000a1400ff', 'Printers', 'printers', null, 1, '40000000000000000000000000a140080', 1);
insert into assigned_ip (id, ip, ip_key, name, name_key, description, description_key, parent_id, terminal_mac) values (1, '10.20.0.0', '40000000000000000000000000a140000', 'desk 7', 'desk 7', null, '', 1, null);
insert into trap_rule (id, trap_rule_name, trap_rule_name_key, trap_oid, trap_group, exectime_type, start_day, end_day, start_time, end_time, selected_week_day, trap_device, trap_interfaces) values (1, 'Maintenance window', 'maintenance window', null, 0, 2, '2020-01-01', '2020-01-01', '02:00', '04:00', null, '[{"displayName":"any device","devID":"0","trapFilterEventParasInfo":[]}]', '[]');
insert into trap_rule (id, trap_rule_name, trap_rule_name_key, trap_oid, trap_group, exectime_type, start_day, end_day, start_time, end_time, selected_week_day, trap_device, trap_interfaces) values (2, 'no cold starts', 'no cold starts', '1.3.6.1.6.3.1.1.5.1', -1, 0, null, null, null, null, null, '[{"displayName":"any","devID":"0","trapFilterEventParasInfo":[]}]', '[]');
insert into device (id, ip, ip_key, label, label_key, interfaces, other_address, mask, sys_name, sys_name_key, sys_description, sys_oid, location, contact, type_name, zone_id, parent) values (1, '10.20.1.1', '40000000000000000000000000a140101', 'lyo-core1', 'lyo-core1', '[{"ifIndex":"1","ifDesc":"GigabitEthernet0/1"}]', '[{"ip":"10.20.2.1"},{"ip":"2001:db8::1"}]', null, null, '', null, null, null, null, null, 1, '[]');
insert into device (id, ip, ip_key, label, label_key, interfaces, other_address, mask, sys_name, sys_name_key, sys_description, sys_oid, location, contact, type_name, zone_id, parent) values (2, '127.0.0.1', '40000000000000000000000007f000001', '127.0.0.1', '127.0.0.1', '[]', '[]', null, null, '', null, null, null, null, null, 1, '[]');
insert into device_address (ip, device_id) values ('10.20.1.1', 1);
insert into device_address (ip, device_id) values ('10.20.2.1', 1);
insert into device_address (ip, device_id) values ('2001:db8::1', 1);
insert into device_address (ip, device_id) values ('127.0.0.1', 2);
insert into alarm_category (id, name, name_key) values (1, 'System', 'system');
insert into alarm_category (id, name, name_key) values (2, 'Device availability', 'device availability');
insert into alarm_category (id, name, name_key) values (3, 'Interface and link', 'interface and link');
insert into alarm_category (id, name, name_key) values (4, 'Device status', 'device status');
insert into alarm_category (id, name, name_key) values (5, 'Environment and power', 'environment and power');
insert into alarm_category (id, name, name_key) values (6, 'Routing', 'routing');
insert into alarm_category (id, name, name_key) values (7, 'Bridging and spanning tree', 'bridging and spanning tree');
insert into alarm_category (id, name, name_key) values (8, 'Security', 'security');
insert into alarm_category (id, name, name_key) values (9, 'Performance and thresholds', 'performance and thresholds');
insert into alarm_category (id, name, name_key) values (10, 'Configuration', 'configuration');
insert into alarm_category (id, name, name_key) values (11, 'Wireless', 'wireless');
insert into alarm_category (id, name, name_key) values (12, 'Service', 'service');
insert into alarm_category (id, name, name_key) values (15, 'Other', 'other');
insert into trap_event (id, event_oid, name, name_key, alarm_level, alarm_category, alarm_desc, handling, parameter, recovers, out_of_reach) values (1, '1.3.6.1.6.3.1.1.5.1', 'coldStart', 'coldstart', 4, 4, '{deviceName} has started; its configuration may have changed (cold start)', null, '[]', '["1.3.6.1.4.1.8072.4.0.2"]', null);
insert into trap_event (id, event_oid, name, name_key, alarm_level, alarm_category, alarm_desc, handling, parameter, recovers, out_of_reach) values (17, '1.3.6.1.6.3.1.1.5.3', 'linkDown', 'linkdown', 2, 3, 'Interface {ifDescr} (index {ifIndex}) is down', null, '[{"oid":"1.3.6.1.2.1.2.2.1.1","name":"ifIndex","isKey":"true"},{"oid":"1.3.6.1.2.1.2.2.1.2","name":"ifDescr"},{"oid":"1.3.6.1.2.1.2.2.1.7","name":"ifAdminStatus","labels":"1=up;2=down;3=testing"},{"oid":"1.3.6.1.2.1.2.2.1.8","name":"ifOperStatus","labels":"1=up;2=down;3=testing;4=unknown;5=dormant;6=notPresent;7=lowerLayerDown"}]', '[]', 1);
insert into trap_event (id, event_oid, name, name_key, alarm_level, alarm_category, alarm_desc, handling, parameter, recovers, out_of_reach) values (18, '1.3.6.1.6.3.1.1.5.4', 'linkUp', 'linkup', 5, 3, 'Interface {ifDescr} (index {ifIndex}) is up', null, '[{"oid":"1.3.6.1.2.1.2.2.1.1","name":"ifIndex","isKey":"true"},{"oid":"1.3.6.1.2.1.2.2.1.2","name":"ifDescr"},{"oid":"1.3.6.1.2.1.2.2.1.7","name":"ifAdminStatus","labels":"1=up;2=down;3=testing"},{"oid":"1.3.6.1.2.1.2.2.1.8","name":"ifOperStatus","labels":"1=up;2=down;3=testing;4=unknown;5=dormant;6=notPresent;7=lowerLayerDown"}]', '["1.3.6.1.6.3.1.1.5.3"]', null);
insert into custom_view (id, name, name_key, all_devices, member, up_level_symbol_id, view) values (1, 'All devices', 'all devices', 1, '[]', null, '[]');
insert into custom_view (id, name, name_key, all_devices, member, up_level_symbol_id, view) values (2, 'Lyon', 'lyon', null, '["1"]', null, '[]');
insert into custom_view (id, name, name_key, all_devices, member, up_level_symbol_id, view) values (3, 'My Network View', 'my network view', 1, '[]', null, '[]');
insert into alarm (id, oid, original_type, device_id, device_ip, device_name, alarm_level, alarm_category, fault_time, rec_time, rec_status, rec_user_name, ack_time, ack_status, ack_user_name, alarm_desc, paras, parent_id, som_state, is_receover_fault, recover_fault_id_list, remark, event_name, alarm_type, resource, repeats, last_time, pushed, if_index, if_desc, trap_id, reason, recovered_by, entry, repeat_trail, owner, note, ack_until, first_ack_time, suppressed, suppressed_by, shelved_until, shelved_level, hidden, out_of_reach, cause_id, cause_until) values (1, '1.3.6.1.6.3.1.1.5.3', 1, 1, '10.20.1.1', 'lyo-core1', 2, 3, 1794720995224, 0, 0, '', 0, 0, '', 'Interface GigabitEthernet0/1 (index 1) is down', '*ifIndex=1;ifDescr=GigabitEthernet0/1;ifAdminStatus=up;ifOperStatus=down;1.3.6.1.6.3.18.1.3.0=10.20.1.1', 0, 0, 0, '[]', null, 'linkDown', '1.3.6.1.6.3.1.1.5.3', 'ifIndex=1', 2, 1794720995783, '[[2,"*"]]', null, null, 0, '', 0, 0, '[]', '', '', 0, 0, 0, '[]', 0, 0, 0, 0, 0, 0);
insert into alarm (id, oid, original_type, device_id, device_ip, device_name, alarm_level, alarm_category, fault_time, rec_time, rec_status, rec_user_name, ack_time, ack_status, ack_user_name, alarm_desc, paras, parent_id, som_state, is_receover_fault, recover_fault_id_list, remark, event_name, alarm_type, resource, repeats, last_time, pushed, if_index, if_desc, trap_id, reason, recovered_by, entry, repeat_trail, owner, note, ack_until, first_ack_time, suppressed, suppressed_by, shelved_until, shelved_level, hidden, out_of_reach, cause_id, cause_until) values (2, '1.3.6.1.6.3.1.1.5.3', 1, 1, '10.20.1.1', 'lyo-core1', 2, 3, 1794720996451, 1794720997041, 1, '$SYSTEM', 0, 0, '', 'Interface GigabitEthernet0/2 (index 2) is down', '*ifIndex=2;ifDescr=GigabitEthernet0/2;ifAdminStatus=up;ifOperStatus=down;1.3.6.1.6.3.18.1.3.0=10.20.1.1', 0, 0, 0, '[]', null, 'linkDown', '1.3.6.1.6.3.1.1.5.3', 'ifIndex=2', 1, 1794720996451, '[[null,"*"]]', null, null, 0, '', 0, 0, '[]', '', '', 0, 0, 0, '[]', 0, 0, 0, 0, 0, 0);
insert into alarm (id, oid, original_type, device_id, device_ip, device_name, alarm_level, alarm_category, fault_time, rec_time, rec_status, rec_user_name, ack_time, ack_status, ack_user_name, alarm_desc, paras, parent_id, som_state, is_receover_fault, recover_fault_id_list, remark, event_name, alarm_type, resource, repeats, last_time, pushed, if_index, if_desc, trap_id, reason, recovered_by, entry, repeat_trail, owner, note, ack_until, first_ack_time, suppressed, suppressed_by, shelved_until, shelved_level, hidden, out_of_reach, cause_id, cause_until) values (3, '1.3.6.1.6.3.1.1.5.4', 1, 1, '10.20.1.1', 'lyo-core1', 5, 3, 1794720997041, 1794720997041, 1, '$SYSTEM', 0, 0, '', 'Interface GigabitEthernet0/2 (index 2) is up', '*ifIndex=2;ifDescr=GigabitEthernet0/2;ifAdminStatus=up;ifOperStatus=up;1.3.6.1.6.3.18.1.3.0=10.20.1.1', 0, 0, 1, '["2"]', null, 'linkUp', '1.3.6.1.6.3.1.1.5.4', 'ifIndex=2', 1, 1794720997041, '[[null,"*"]]', null, null, 0, '', 0, 0, '[]', '', '', 0, 0, 0, '[]', 0, 0, 0, 0, 0, 0);
insert into alarm (id, oid, original_type, device_id, device_ip, device_name, alarm_level, alarm_category, fault_time, rec_time, rec_status, rec_user_name, ack_time, ack_status, ack_user_name, alarm_desc, paras, parent_id, som_state, is_receover_fault, recover_fault_id_list, remark, event_name, alarm_type, resource, repeats, last_time, pushed, if_index, if_desc, trap_id, reason, recovered_by, entry, repeat_trail, owner, note, ack_until, first_ack_time, suppressed, suppressed_by, shelved_until, shelved_level, hidden, out_of_reach, cause_id, cause_until) values (4, '1.3.6.1.4.1.32473.9.1', 3, 1, '10.20.1.1', 'lyo-core1', 1, 15, 1794720998910, 0, 0, '', 1794720998926, 1, 'anonymous', 'Smoke: it''s "hot" & <smelly>; Grüße', '', 0, 0, 0, '[]', null, '1.3.6.1.4.1.32473.9.1', '1.3.6.1.4.1.32473.9.1', '', 1, 1794720998910, '[[1,"*"]]', null, null, 0, '', 0, 0, '[]', '', '', 0, 0, 0, '[]', 0, 0, 0, 0, 0, 0);
insert into alarm (id, oid, original_type, device_id, device_ip, device_name, alarm_level, alarm_category, fault_time, rec_time, rec_status, rec_user_name, ack_time, ack_status, ack_user_name, alarm_desc, paras, parent_id, som_state, is_receover_fault, recover_fault_id_list, remark, event_name, alarm_type, resource, repeats, last_time, pushed, if_index, if_desc, trap_id, reason, recovered_by, entry, repeat_trail, owner, note, ack_until, first_ack_time, suppressed, suppressed_by, shelved_until, shelved_level, hidden, out_of_reach, cause_id, cause_until) values (5, '1.3.6.1.6.3.1.1.5.3', 1, 1, '10.20.1.1', 'lyo-core1', 2, 3, 1794721004135, 0, 0, '', 0, 0, '', 'Interface GigabitEthernet0/3 (index 3) is down', '*ifIndex=3;ifDescr=GigabitEthernet0/3;ifAdminStatus=up;ifOperStatus=down;1.3.6.1.6.3.18.1.3.0=10.20.1.1', 0, 0, 0, '[]', null, 'linkDown', '1.3.6.1.6.3.1.1.5.3', 'ifIndex=3', 1, 1794721004135, '[[2,"*"]]', null, null, 0, '', 0, 0, '[]', '', '', 0, 0, 0, '[]', 0, 0, 0, 0, 0, 0);
insert into alarm (id, oid, original_type, device_id, device_ip, device_name, alarm_level, alarm_category, fault_time, rec_time, rec_status, rec_user_name, ack_time, ack_status, ack_user_name, alarm_desc, paras, parent_id, som_state, is_receover_fault, recover_fault_id_list, remark, event_name, alarm_type, resource, repeats, last_time, pushed, if_index, if_desc, trap_id, reason, recovered_by, entry, repeat_trail, owner, note, ack_until, first_ack_time, suppressed, suppressed_by, shelved_until, shelved_level, hidden, out_of_reach, cause_id, cause_until) values (6, '1.3.6.1.4.1.32473.9.3', 3, 0, '127.0.0.1', 'Belfry', 2, 15, 1794721800000, 0, 0, '', 0, 0, '', 'while desk-2 was away', '', 0, 0, 0, '[]', null, '1.3.6.1.4.1.32473.9.3', '1.3.6.1.4.1.32473.9.3', '', 1, 1794721800000, '[[2,"1,3"]]', null, null, 0, '', 0, 7, '[]', '', '', 0, 0, 0, '[]', 0, 0, 0, 0, 0, 0);
insert into alarm_log (number, kind, at, alarm_id, oid, device_id, device_ip, alarm_level, cleared, alarm, views, audience, more) values (1, 'raise', 1794720995227, 1, '1.3.6.1.6.3.1.1.5.3', 1, '10.20.1.1', 2, '[]', '<alarm><id>1</id><OID>1.3.6.1.6.3.1.1.5.3</OID><originalType>1</originalType><originalTypeDesc>Trap</originalTypeDesc><deviceId>1</deviceId><deviceIp>10.20.1.1</deviceIp><deviceName>lyo-core1</deviceName><alarmLevel>2</alarmLevel><alarmLevelDesc>Major</alarmLevelDesc><alarmCategory>3</alarmCategory><alarmCategoryDesc>Interface and link</alarmCategoryDesc><faultTime>1794720995</faultTime><faultTimeDesc>2026-11-15 05:36:35</faultTimeDesc><recTime>0</recTime><recTimeDesc/><recStatus>0</recStatus><recStatusDesc>Unrecovered</recStatusDesc><recUserName/><ackTime>0</ackTime><ackTimeDesc/><ackStatus>0</ackStatus><ackStatusDesc>Unacknowledged</ackStatusDesc><ackUserName/><alarmDesc>Interface GigabitEthernet0/1 (index 1) is down</alarmDesc><paras>*ifIndex=1;ifDescr=GigabitEthernet0/1;ifAdminStatus=up;ifOperStatus=down;1.3.6.1.6.3.18.1.3.0=10.20.1.1</paras><parentId>0</parentId><somState>0</somState><isReceoverFault>0</isReceoverFault></alarm>', '*', 3, '');
insert into alarm_log (number, kind, at, alarm_id, oid, device_id, device_ip, alarm_level, cleared, alarm, views, audience, more) values (2, 'raise', 1794720996451, 2, '1.3.6.1.6.3.1.1.5.3', 1, '10.20.1.1', 2, '[]', '<alarm><id>2</id><OID>1.3.6.1.6.3.1.1.5.3</OID><originalType>1</originalType><originalTypeDesc>Trap</originalTypeDesc><deviceId>1</deviceId><deviceIp>10.20.1.1</deviceIp><deviceName>lyo-core1</deviceName><alarmLevel>2</alarmLevel><alarmLevelDesc>Major</alarmLevelDesc><alarmCategory>3</alarmCategory><alarmCategoryDesc>Interface and link</alarmCategoryDesc><faultTime>1794720996</faultTime><faultTimeDesc>2026-11-15 05:36:36</faultTimeDesc><recTime>0</recTime><recTimeDesc/><recStatus>0</recStatus><recStatusDesc>Unrecovered</recStatusDesc><recUserName/><ackTime>0</ackTime><ackTimeDesc/><ackStatus>0</ackStatus><ackStatusDesc>Unacknowledged</ackStatusDesc><ackUserName/><alarmDesc>Interface GigabitEthernet0/2 (index 2) is down</alarmDesc><paras>*ifIndex=2;ifDescr=GigabitEthernet0/2;ifAdminStatus=up;ifOperStatus=down;1.3.6.1.6.3.18.1.3.0=10.20.1.1</paras><parentId>0</parentId><somState>0</somState><isReceoverFault>0</isReceoverFault></alarm>', '*', 3, '');
insert into alarm_log (number, kind, at, alarm_id, oid, device_id, device_ip, alarm_level, cleared, alarm, views, audience, more) values (3, 'recover', 1794720997042, 3, '1.3.6.1.6.3.1.1.5.4', 1, '10.20.1.1', 5, '[["2","1.3.6.1.6.3.1.1.5.3",2]]', '<alarm><id>3</id><OID>1.3.6.1.6.3.1.1.5.4</OID><originalType>1</originalType><originalTypeDesc>Trap</originalTypeDesc><deviceId>1</deviceId><deviceIp>10.20.1.1</deviceIp><deviceName>lyo-core1</deviceName><alarmLevel>5</alarmLevel><alarmLevelDesc>Info</alarmLevelDesc><alarmCategory>3</alarmCategory><alarmCategoryDesc>Interface and link</alarmCategoryDesc><faultTime>1794720997</faultTime><faultTimeDesc>2026-11-15 05:36:37</faultTimeDesc><recTime>1794720997</recTime><recTimeDesc>2026-11-15 05:36:37</recTimeDesc><recStatus>1</recStatus><recStatusDesc>Recovered</recStatusDesc><recUserName>$SYSTEM</recUserName><ackTime>0</ackTime><ackTimeDesc/><ackStatus>0</ackStatus><ackStatusDesc>Unacknowledged</ackStatusDesc><ackUserName/><alarmDesc>Interface GigabitEthernet0/2 (index 2) is up</alarmDesc><paras>*ifIndex=2;ifDescr=GigabitEthernet0/2;ifAdminStatus=up;ifOperStatus=up;1.3.6.1.6.3.18.1.3.0=10.20.1.1</paras><parentId>0</parentId><somState>0</somState><isReceoverFault>1</isReceoverFault><recoverFaultIdList>2</recoverFaultIdList></alarm>', '*', 3, '');
insert into alarm_log (number, kind, at, alarm_id, oid, device_id, device_ip, alarm_level, cleared, alarm, views, audience, more) values (4, 'raise', 1794720998910, 4, '1.3.6.1.4.1.32473.9.1', 1, '10.20.1.1', 1, '[]', '<alarm><id>4</id><OID>1.3.6.1.4.1.32473.9.1</OID><originalType>3</originalType><originalTypeDesc>Belfry</originalTypeDesc><deviceId>1</deviceId><deviceIp>10.20.1.1</deviceIp><deviceName>lyo-core1</deviceName><alarmLevel>1</alarmLevel><alarmLevelDesc>Critical</alarmLevelDesc><alarmCategory>15</alarmCategory><alarmCategoryDesc>Other</alarmCategoryDesc><faultTime>1794720998</faultTime><faultTimeDesc>2026-11-15 05:36:38</faultTimeDesc><recTime>0</recTime><recTimeDesc/><recStatus>0</recStatus><recStatusDesc>Unrecovered</recStatusDesc><recUserName/><ackTime>0</ackTime><ackTimeDesc/><ackStatus>0</ackStatus><ackStatusDesc>Unacknowledged</ackStatusDesc><ackUserName/><alarmDesc>Smoke: it''s "hot" &amp; &lt;smelly&gt;; Grüße</alarmDesc><paras/><parentId>0</parentId><somState>0</somState><isReceoverFault>0</isReceoverFault></alarm>', '*', 3, '');
insert into alarm_log (number, kind, at, alarm_id, oid, device_id, device_ip, alarm_level, cleared, alarm, views, audience, more) values (5, 'acknowledge', 1794720998926, 4, '1.3.6.1.4.1.32473.9.1', 1, '10.20.1.1', 1, '[]', '<alarm><id>4</id><OID>1.3.6.1.4.1.32473.9.1</OID><originalType>3</originalType><originalTypeDesc>Belfry</originalTypeDesc><deviceId>1</deviceId><deviceIp>10.20.1.1</deviceIp><deviceName>lyo-core1</deviceName><alarmLevel>1</alarmLevel><alarmLevelDesc>Critical</alarmLevelDesc><alarmCategory>15</alarmCategory><alarmCategoryDesc>Other</alarmCategoryDesc><faultTime>1794720998</faultTime><faultTimeDesc>2026-11-15 05:36:38</faultTimeDesc><recTime>0</recTime><recTimeDesc/><recStatus>0</recStatus><recStatusDesc>Unrecovered</recStatusDesc><recUserName/><ackTime>1794720998</ackTime><ackTimeDesc>2026-11-15 05:36:38</ackTimeDesc><ackStatus>1</ackStatus><ackStatusDesc>Acknowledged</ackStatusDesc><ackUserName>anonymous</ackUserName><alarmDesc>Smoke: it''s "hot" &amp; &lt;smelly&gt;; Grüße</alarmDesc><paras/><parentId>0</parentId><somState>0</somState><isReceoverFault>0</isReceoverFault></alarm>', '*', 3, '');
insert into alarm_log (number, kind, at, alarm_id, oid, device_id, device_ip, alarm_level, cleared, alarm, views, audience, more) values (6, 'raise', 1794721004137, 5, '1.3.6.1.6.3.1.1.5.3', 1, '10.20.1.1', 2, '[]', '<alarm><id>5</id><OID>1.3.6.1.6.3.1.1.5.3</OID><originalType>1</originalType><originalTypeDesc>Trap</originalTypeDesc><deviceId>1</deviceId><deviceIp>10.20.1.1</deviceIp><deviceName>lyo-core1</deviceName><alarmLevel>2</alarmLevel><alarmLevelDesc>Major</alarmLevelDesc><alarmCategory>3</alarmCategory><alarmCategoryDesc>Interface and link</alarmCategoryDesc><faultTime>1794721004</faultTime><faultTimeDesc>2026-11-15 05:36:44</faultTimeDesc><recTime>0</recTime><recTimeDesc/><recStatus>0</recStatus><recStatusDesc>Unrecovered</recStatusDesc><recUserName/><ackTime>0</ackTime><ackTimeDesc/><ackStatus>0</ackStatus><ackStatusDesc>Unacknowledged</ackStatusDesc><ackUserName/><alarmDesc>Interface GigabitEthernet0/3 (index 3) is down</alarmDesc><paras>*ifIndex=3;ifDescr=GigabitEthernet0/3;ifAdminStatus=up;ifOperStatus=down;1.3.6.1.6.3.18.1.3.0=10.20.1.1</paras><parentId>0</parentId><somState>0</somState><isReceoverFault>0</isReceoverFault></alarm>', '*', 3, '');
insert into alarm_log (number, kind, at, alarm_id, oid, device_id, device_ip, alarm_level, cleared, alarm, views, audience, more) values (7, 'raise', 1794721800000, 6, '1.3.6.1.4.1.32473.9.3', 0, '127.0.0.1', 2, '[]', '<alarm><id>6</id><OID>1.3.6.1.4.1.32473.9.3</OID><originalType>3</originalType><originalTypeDesc>Belfry</originalTypeDesc><deviceId>0</deviceId><deviceIp>127.0.0.1</deviceIp><deviceName>Belfry</deviceName><alarmLevel>2</alarmLevel><alarmLevelDesc>Major</alarmLevelDesc><alarmCategory>15</alarmCategory><alarmCategoryDesc>Other</alarmCategoryDesc><faultTime>1794721800</faultTime><faultTimeDesc>2026-11-15 05:50:00</faultTimeDesc><recTime>0</recTime><recTimeDesc/><recStatus>0</recStatus><recStatusDesc>Unrecovered</recStatusDesc><recUserName/><ackTime>0</ackTime><ackTimeDesc/><ackStatus>0</ackStatus><ackStatusDesc>Unacknowledged</ackStatusDesc><ackUserName/><alarmDesc>while desk-2 was away</alarmDesc><paras/><parentId>0</parentId><somState>0</somState><isReceoverFault>0</isReceoverFault></alarm>', '1,3', 3, '');
insert into epoch (number, first_entry, started_at, last_before, told, lost_to, ids) values (1794720993142, 1, 1794720993142, -1, 0, -1, '');
insert into epoch (number, first_entry, started_at, last_before, told, lost_to, ids) values (1794721800000, 7, 1794721800000, -1, 0, -1, '');
insert into trap (id, received_time, source_ip, version, oid, device_id, event_name, bin, reason, alarm_id, variables) values (1, 1794720995224, '127.0.0.1', '2c', '1.3.6.1.6.3.1.1.5.3', 1, 'linkDown', 'raised', 'no such alarm was open', 1, '[{"oid":"1.3.6.1.2.1.2.2.1.1.1","type":"Integer32","name":"ifIndex","value":"1"},{"oid":"1.3.6.1.2.1.2.2.1.2.1","type":"OctetString","name":"ifDescr","value":"GigabitEthernet0/1"},{"oid":"1.3.6.1.2.1.2.2.1.7.1","type":"Integer32","name":"ifAdminStatus","value":"1"},{"oid":"1.3.6.1.2.1.2.2.1.8.1","type":"Integer32","name":"ifOperStatus","value":"2"},{"oid":"1.3.6.1.6.3.18.1.3.0","type":"IpAddress","name":"1.3.6.1.6.3.18.1.3.0","value":"10.20.1.1"}]');
insert into trap (id, received_time, source_ip, version, oid, device_id, event_name, bin, reason, alarm_id, variables) values (2, 1794720995783, '127.0.0.1', '2c', '1.3.6.1.6.3.1.1.5.3', 1, 'linkDown', 'repeated', 'such an alarm is open', 1, '[{"oid":"1.3.6.1.2.1.2.2.1.1.1","type":"Integer32","name":"ifIndex","value":"1"},{"oid":"1.3.6.1.2.1.2.2.1.2.1","type":"OctetString","name":"ifDescr","value":"GigabitEthernet0/1"},{"oid":"1.3.6.1.2.1.2.2.1.7.1","type":"Integer32","name":"ifAdminStatus","value":"1"},{"oid":"1.3.6.1.2.1.2.2.1.8.1","type":"Integer32","name":"ifOperStatus","value":"2"},{"oid":"1.3.6.1.6.3.18.1.3.0","type":"IpAddress","name":"1.3.6.1.6.3.18.1.3.0","value":"10.20.1.1"}]');
insert into trap (id, received_time, source_ip, version, oid, device_id, event_name, bin, reason, alarm_id, variables) values (3, 1794720996451, '127.0.0.1', '2c', '1.3.6.1.6.3.1.1.5.3', 1, 'linkDown', 'raised', 'no such alarm was open', 2, '[{"oid":"1.3.6.1.2.1.2.2.1.1.2","type":"Integer32","name":"ifIndex","value":"2"},{"oid":"1.3.6.1.2.1.2.2.1.2.2","type":"OctetString","name":"ifDescr","value":"GigabitEthernet0/2"},{"oid":"1.3.6.1.2.1.2.2.1.7.2","type":"Integer32","name":"ifAdminStatus","value":"1"},{"oid":"1.3.6.1.2.1.2.2.1.8.2","type":"Integer32","name":"ifOperStatus","value":"2"},{"oid":"1.3.6.1.6.3.18.1.3.0","type":"IpAddress","name":"1.3.6.1.6.3.18.1.3.0","value":"10.20.1.1"}]');
insert into trap (id, received_time, source_ip, version, oid, device_id, event_name, bin, reason, alarm_id, variables) values (4, 1794720997041, '127.0.0.1', '2c', '1.3.6.1.6.3.1.1.5.4', 1, 'linkUp', 'recovered', 'it ends an open alarm', 3, '[{"oid":"1.3.6.1.2.1.2.2.1.1.2","type":"Integer32","name":"ifIndex","value":"2"},{"oid":"1.3.6.1.2.1.2.2.1.2.2","type":"OctetString","name":"ifDescr","value":"GigabitEthernet0/2"},{"oid":"1.3.6.1.2.1.2.2.1.7.2","type":"Integer32","name":"ifAdminStatus","value":"1"},{"oid":"1.3.6.1.2.1.2.2.1.8.2","type":"Integer32","name":"ifOperStatus","value":"1"},{"oid":"1.3.6.1.6.3.18.1.3.0","type":"IpAddress","name":"1.3.6.1.6.3.18.1.3.0","value":"10.20.1.1"}]');
insert into trap (id, received_time, source_ip, version, oid, device_id, event_name, bin, reason, alarm_id, variables) values (5, 1794720997909, '127.0.0.1', '2c', '1.3.6.1.6.3.1.1.5.1', 2, 'coldStart', 'filtered', 'trap rule 2', null, '[]');
insert into trap (id, received_time, source_ip, version, oid, device_id, event_name, bin, reason, alarm_id, variables) values (6, 1794720998753, '127.0.0.1', '', '', 0, null, 'refused', 'community', null, '[]');
insert into trap (id, received_time, source_ip, version, oid, device_id, event_name, bin, reason, alarm_id, variables) values (7, 1794721004135, '127.0.0.1', '2c', '1.3.6.1.6.3.1.1.5.3', 1, 'linkDown', 'raised', 'no such alarm was open', 5, '[{"oid":"1.3.6.1.2.1.2.2.1.1.3","type":"Integer32","name":"ifIndex","value":"3"},{"oid":"1.3.6.1.2.1.2.2.1.2.3","type":"OctetString","name":"ifDescr","value":"GigabitEthernet0/3"},{"oid":"1.3.6.1.2.1.2.2.1.7.3","type":"Integer32","name":"ifAdminStatus","value":"1"},{"oid":"1.3.6.1.2.1.2.2.1.8.3","type":"Integer32","name":"ifOperStatus","value":"2"},{"oid":"1.3.6.1.6.3.18.1.3.0","type":"IpAddress","name":"1.3.6.1.6.3.18.1.3.0","value":"10.20.1.1"}]');
insert into trap_ledger (bin, reason, n, last_time, last_source) values ('raised', 'no such alarm was open', 3, 1794721004135, '127.0.0.1');
insert into trap_ledger (bin, reason, n, last_time, last_source) values ('repeated', 'such an alarm is open', 1, 1794720995783, '127.0.0.1');
insert into trap_ledger (bin, reason, n, last_time, last_source) values ('recovered', 'it ends an open alarm', 1, 1794720997041, '127.0.0.1');
insert into trap_ledger (bin, reason, n, last_time, last_source) values ('filtered', 'trap rule 2', 1, 1794720997909, '127.0.0.1');
insert into trap_ledger (bin, reason, n, last_time, last_source) values ('refused', 'community', 1, 1794720998753, '127.0.0.1');
insert into snmp_engine (engine_id, boots, time, received_at) values ('self80007ed9051b6bf07970b3a5a2', 2, 0, 1794721800000);
insert into registration (uuid, owner, query, cursor, position, connected, created_at, last_seen, last_write, expired, holder, written_once, written_twice, given_from, node, unsure) values ('old-client', '3698aa9c-b67e-4b16-9cc9-8e1aec1e8378', 'alarmLevel=1%2C2%2C5', 5, 5, 0, 1794720994852, 1794721001943, 1794720998914, 0, '', 0, 0, 0, '', 0);
insert into registration (uuid, owner, query, cursor, position, connected, created_at, last_seen, last_write, expired, holder, written_once, written_twice, given_from, node, unsure) values ('desk-2', 'b4296acc-5d9b-457f-883d-d63f40110364', '', 6, 6, 0, 1794721800000, 1794721800000, 1794721800000, 0, '1', 6, 6, 1794721800000, '', 0);
insert into trap_rule_hit (rule_id, hits, last_hit) values (2, 1, 1794720997909);
insert into operator (id, name, name_key, full_name, role, enabled, digest, description) values (1, 'alice', 'alice', null, 'administrator', 1, 1, null);
insert into credential (operator_id, password, sha256, md5, realm, changed_at) values (1, '$argon2id$v=19$m=19456,t=2,p=1$EZT3fBk1mwmALzfJNUMa2A$Rwo7IXOYCagcuLQrNBwar30NZM6CXt1xU49IRXS8Xk0', 'bf780f61925d88038f4bd6341a1eaeceae841848dc1807e14191a603b0d563f6', '9cbc58653bdc1cd19ed644bd622cf2a3', 'Belfry', 1794721800000);
insert into token (id, operator_id, scope, description, prefix, created_time, expiry_time, hash) values (1, 1, 'administrator', 'of the last release', 'bfy_nWTODX6a', 1794721800000, 1826257800000, '01b55da73298a202ae07c4b582ffcec0d4755042779ee62385df841e12783a14');
insert into login (subject, last_time) values ('operator 1', 1794721800000);
insert into login (subject, last_time) values ('token 1', 1794721800000);
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (1, 1794721800000, 'anonymous', 'anonymous', 'administrator', '127.0.0.1', 'delete', 'trapEvent', 'trapevent', '188', '188', 1, null, '{"id":"188","eventOid":"1.3.6.1.4.1.32473.1.1","name":"trapsLost","alarmLevel":"2","alarmCategory":"1","alarmDesc":"The kernel dropped traps because they came faster than they were read"}', null);
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (2, 1794721800000, 'anonymous', 'anonymous', 'administrator', '127.0.0.1', 'delete', 'trapEvent', 'trapevent', '189', '189', 1, null, '{"id":"189","eventOid":"1.3.6.1.4.1.32473.1.2","name":"entriesMissed","alarmLevel":"2","alarmCategory":"1","alarmDesc":"Alarms could not be delivered to a client: it was away longer than they are kept"}', null);
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (3, 1794721800000, 'anonymous', 'anonymous', 'administrator', '127.0.0.1', 'delete', 'trapEvent', 'trapevent', '190', '190', 1, null, '{"id":"190","eventOid":"1.3.6.1.4.1.32473.1.3","name":"clientLagging","alarmLevel":"3","alarmCategory":"1","alarmDesc":"A registered client is far behind"}', null);
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (4, 1794721800000, 'anonymous', 'anonymous', 'administrator', '127.0.0.1', 'delete', 'trapEvent', 'trapevent', '191', '191', 1, null, '{"id":"191","eventOid":"1.3.6.1.4.1.32473.1.4","name":"ruleBusy","alarmLevel":"4","alarmCategory":"1","alarmDesc":"A trap rule filters very many traps"}', null);
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (5, 1794721800000, 'anonymous', 'anonymous', 'administrator', '127.0.0.1', 'delete', 'trapEvent', 'trapevent', '192', '192', 1, null, '{"id":"192","eventOid":"1.3.6.1.4.1.32473.1.5","name":"trapStorm","alarmLevel":"3","alarmCategory":"1","alarmDesc":"A sender sends far too many traps: most of them are counted, and not read"}', null);
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (6, 1794721800000, 'anonymous', 'anonymous', 'administrator', '127.0.0.1', 'delete', 'trapEvent', 'trapevent', '193', '193', 1, null, '{"id":"193","eventOid":"1.3.6.1.4.1.32473.1.6","name":"alarmFlapping","alarmLevel":"3","alarmCategory":"1","alarmDesc":"An alarm is raised and recovered again and again: this one stands for all of it"}', null);
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (7, 1794721800000, 'anonymous', 'anonymous', 'administrator', '127.0.0.1', 'delete', 'trapEvent', 'trapevent', '194', '194', 1, null, '{"id":"194","eventOid":"1.3.6.1.4.1.32473.1.9","name":"certificateRefused","alarmLevel":"2","alarmCategory":"1","alarmDesc":"The files of the TLS certificate and its key have changed and cannot be used"}', null);
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (8, 1794721800000, 'anonymous', 'anonymous', 'administrator', '127.0.0.1', 'delete', 'trapEvent', 'trapevent', '195', '195', 1, null, '{"id":"195","eventOid":"1.3.6.1.4.1.32473.1.10","name":"certificateExpiring","alarmLevel":"2","alarmCategory":"1","alarmDesc":"The TLS certificate ends soon, or has ended"}', null);
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (9, 1794721800000, 'anonymous', 'anonymous', 'administrator', '127.0.0.1', 'delete', 'trapEvent', 'trapevent', '196', '196', 1, null, '{"id":"196","eventOid":"1.3.6.1.4.1.32473.1.11","name":"devicesFull","alarmLevel":"2","alarmCategory":"1","alarmDesc":"Traps of unknown senders are refused: there are as many devices as the settings allow"}', null);
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (10, 1794721800000, 'anonymous', 'anonymous', 'administrator', '127.0.0.1', 'delete', 'trapEvent', 'trapevent', '197', '197', 1, null, '{"id":"197","eventOid":"1.3.6.1.4.1.32473.1.12","name":"storeRestored","alarmLevel":"2","alarmCategory":"1","alarmDesc":"The store was restored from a backup: what happened after it was made is missing"}', null);
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (11, 1794721800000, 'anonymous', 'anonymous', 'administrator', '127.0.0.1', 'delete', 'trapEvent', 'trapevent', '198', '198', 1, null, '{"id":"198","eventOid":"1.3.6.1.4.1.32473.1.20","name":"testAlarm","alarmLevel":"5","alarmCategory":"1","alarmDesc":"A test of the way to a client: nothing is wrong"}', null);
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (12, 1794721800000, 'anonymous', 'anonymous', 'administrator', '127.0.0.1', 'delete', 'trapEvent', 'trapevent', '199', '199', 1, null, '{"id":"199","eventOid":"1.3.6.1.4.1.32473.1.21","name":"storeFailing","alarmLevel":"1","alarmCategory":"1","alarmDesc":"The store cannot be read or written as it should: the disk fails, or is full"}', null);
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (13, 1794721800000, 'anonymous', 'anonymous', 'administrator', '127.0.0.1', 'delete', 'trapEvent', 'trapevent', '200', '200', 1, null, '{"id":"200","eventOid":"1.3.6.1.4.1.32473.1.22","name":"storeOlder","alarmLevel":"1","alarmCategory":"1","alarmDesc":"The store is older than it was left, or came from elsewhere: something is missing in it"}', null);
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (14, 1794721800000, 'anonymous', 'anonymous', 'administrator', '127.0.0.1', 'delete', 'trapEvent', 'trapevent', '201', '201', 1, null, '{"id":"201","eventOid":"1.3.6.1.4.1.32473.1.48","name":"alarmsFull","alarmLevel":"2","alarmCategory":"1","alarmDesc":"As many alarms are open as the settings allow: this one stands for the rest"}', null);
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (15, 1794721800000, 'anonymous', 'anonymous', 'administrator', '127.0.0.1', 'delete', 'trapEvent', 'trapevent', '202', '202', 1, null, '{"id":"202","eventOid":"1.3.6.1.4.1.32473.1.40","name":"terminalRefused","alarmLevel":"3","alarmCategory":"8","alarmDesc":"A terminal was refused, or was seen where its binding does not allow it"}', null);
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (16, 1794721800000, 'anonymous', 'anonymous', 'administrator', '127.0.0.1', 'delete', 'trapEvent', 'trapevent', '203', '203', 1, null, '{"id":"203","eventOid":"1.3.6.1.4.1.32473.1.41","name":"terminalUnknown","alarmLevel":"4","alarmCategory":"8","alarmDesc":"A terminal without a binding was admitted, as the settings say"}', null);
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (17, 1794721800000, 'anonymous', 'anonymous', 'administrator', '127.0.0.1', 'delete', 'trapEvent', 'trapevent', '204', '204', 1, null, '{"id":"204","eventOid":"1.3.6.1.4.1.32473.1.42","name":"terminalsMany","alarmLevel":"2","alarmCategory":"8","alarmDesc":"Very many terminals at one port are refused, or have no binding: this one stands for the rest"}', null);
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (18, 1794721800000, 'anonymous', 'anonymous', 'administrator', '127.0.0.1', 'delete', 'trapEvent', 'trapevent', '205', '205', 1, null, '{"id":"205","eventOid":"1.3.6.1.4.1.32473.1.43","name":"addressConflict","alarmLevel":"3","alarmCategory":"8","alarmDesc":"An assigned address is used by another terminal than the one it belongs to"}', null);
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (19, 1794721800000, 'anonymous', 'anonymous', 'administrator', '127.0.0.1', 'delete', 'trapEvent', 'trapevent', '206', '206', 1, null, '{"id":"206","eventOid":"1.3.6.1.4.1.32473.1.26","name":"unknownEvents","alarmLevel":"3","alarmCategory":"1","alarmDesc":"As many alarms of events without a definition are open as the settings allow: this one stands for the rest"}', null);
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (20, 1794721800000, 'anonymous', 'anonymous', 'administrator', '127.0.0.1', 'delete', 'trapEvent', 'trapevent', '207', '207', 1, null, '{"id":"207","eventOid":"1.3.6.1.4.1.32473.1.30","name":"nodeGone","alarmLevel":"2","alarmCategory":"1","alarmDesc":"A node has given no sign of life for some time"}', null);
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (21, 1794721800000, 'anonymous', 'anonymous', 'administrator', '127.0.0.1', 'delete', 'trapEvent', 'trapevent', '208', '208', 1, null, '{"id":"208","eventOid":"1.3.6.1.4.1.32473.1.31","name":"nodeClock","alarmLevel":"3","alarmCategory":"1","alarmDesc":"The clock of a node is far from the store''s: set it by a time server"}', null);
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (22, 1794721800000, 'anonymous', 'anonymous', 'administrator', '127.0.0.1', 'delete', 'trapEvent', 'trapevent', '209', '209', 1, null, '{"id":"209","eventOid":"1.3.6.1.4.1.32473.1.32","name":"storeMoved","alarmLevel":"2","alarmCategory":"1","alarmDesc":"The store is served by another PostgreSQL than before: a standby was promoted, or a copy restored"}', null);
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (23, 1794721800000, 'anonymous', 'anonymous', 'administrator', '127.0.0.1', 'delete', 'trapEvent', 'trapevent', '210', '210', 1, null, '{"id":"210","eventOid":"1.3.6.1.4.1.32473.1.33","name":"datagramsAside","alarmLevel":"2","alarmCategory":"1","alarmDesc":"A datagram could not be settled in several attempts and was put aside"}', null);
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (24, 1794721800000, 'anonymous', 'anonymous', 'administrator', '127.0.0.1', 'delete', 'trapEvent', 'trapevent', '211', '211', 1, null, '{"id":"211","eventOid":"1.3.6.1.4.1.32473.1.36","name":"clockDoubted","alarmLevel":"2","alarmCategory":"1","alarmDesc":"The store''s clock jumped, or most nodes differ from it: nothing is deleted because of its age"}', null);
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (25, 1794721800000, 'anonymous', 'anonymous', 'administrator', '127.0.0.1', 'delete', 'trapEvent', 'trapevent', '212', '212', 1, null, '{"id":"212","eventOid":"1.3.6.1.4.1.32473.1.37","name":"settingsDiffer","alarmLevel":"2","alarmCategory":"1","alarmDesc":"A setting that decides is not the same at all nodes: what happens depends on which of them works"}', null);
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (26, 1794721800000, 'anonymous', 'anonymous', 'administrator', '127.0.0.1', 'delete', 'trapEvent', 'trapevent', '213', '213', 1, null, '{"id":"213","eventOid":"1.3.6.1.4.1.32473.1.55","name":"sightingsLost","alarmLevel":"3","alarmCategory":"1","alarmDesc":"Sightings of terminals were dropped: more are reported than can be settled"}', null);
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (27, 1794721800000, 'anonymous', 'anonymous', 'administrator', '127.0.0.1', 'delete', 'trapEvent', 'trapevent', '214', '214', 1, null, '{"id":"214","eventOid":"1.3.6.1.4.1.32473.1.62","name":"tokenEnding","alarmLevel":"4","alarmCategory":"1","alarmDesc":"A token of an operator who signs in through OpenID Connect ends soon"}', null);
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (28, 1794721800000, 'anonymous', 'anonymous', 'administrator', '127.0.0.1', 'delete', 'trapEvent', 'trapevent', '215', '215', 1, null, '{"id":"215","eventOid":"1.3.6.1.4.1.32473.1.45","name":"reportFailed","alarmLevel":"4","alarmCategory":"1","alarmDesc":"A scheduled report could not be made"}', null);
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (29, 1794721800000, 'anonymous', 'anonymous', 'administrator', '127.0.0.1', 'delete', 'trapEvent', 'trapevent', '216', '216', 1, null, '{"id":"216","eventOid":"1.3.6.1.4.1.9.9.215.2.0.1","name":"cmnMacChangedNotification","alarmLevel":"5","alarmCategory":"7","alarmDesc":"MAC addresses were learnt, removed or moved at {deviceName}","handling":"0"}', null);
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (30, 1794721800000, 'anonymous', 'anonymous', 'administrator', '127.0.0.1', 'delete', 'trapEvent', 'trapevent', '217', '217', 1, null, '{"id":"217","eventOid":"1.3.6.1.4.1.25506.2.87.1.3.0.1","name":"hh3cMACInformationChangedTrap","alarmLevel":"5","alarmCategory":"7","alarmDesc":"MAC addresses were learnt, removed or moved at {deviceName}","handling":"0"}', null);
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (31, 1794721800000, 'anonymous', 'anonymous', 'administrator', '127.0.0.1', 'delete', 'trapEvent', 'trapevent', '218', '218', 1, null, '{"id":"218","eventOid":"1.3.6.1.4.1.25506.2.87.1.4.0.1","name":"hh3cMACInformationChangedTrapExt","alarmLevel":"5","alarmCategory":"7","alarmDesc":"MAC addresses were learnt, removed or moved at {deviceName}","handling":"0"}', null);
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (32, 1794721800000, 'anonymous', 'anonymous', 'administrator', '127.0.0.1', 'delete', 'trapEvent', 'trapevent', '219', '219', 1, null, '{"id":"219","eventOid":"1.3.6.1.4.1.25506.2.87.1.4.0.2","name":"hh3cMACInformationMovedTrap","alarmLevel":"5","alarmCategory":"7","alarmDesc":"MAC addresses were learnt, removed or moved at {deviceName}","handling":"0"}', null);
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (33, 1794721800000, 'anonymous', 'anonymous', 'administrator', '127.0.0.1', 'delete', 'trapEvent', 'trapevent', '220', '220', 1, null, '{"id":"220","eventOid":"1.3.6.1.4.1.2011.10.2.87.1.3.0.1","name":"h3cMACInformationChangedTrap","alarmLevel":"5","alarmCategory":"7","alarmDesc":"MAC addresses were learnt, removed or moved at {deviceName}","handling":"0"}', null);
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (34, 1794721800000, 'anonymous', 'anonymous', 'administrator', '127.0.0.1', 'delete', 'trapEvent', 'trapevent', '221', '221', 1, null, '{"id":"221","eventOid":"1.3.6.1.4.1.2011.10.2.87.1.4.0.1","name":"h3cMACInformationChangedTrapExt","alarmLevel":"5","alarmCategory":"7","alarmDesc":"MAC addresses were learnt, removed or moved at {deviceName}","handling":"0"}', null);
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (35, 1794721800000, 'anonymous', 'anonymous', 'administrator', '127.0.0.1', 'delete', 'trapEvent', 'trapevent', '222', '222', 1, null, '{"id":"222","eventOid":"1.3.6.1.4.1.2011.10.2.87.1.4.0.2","name":"h3cMACInformationMovedTrap","alarmLevel":"5","alarmCategory":"7","alarmDesc":"MAC addresses were learnt, removed or moved at {deviceName}","handling":"0"}', null);
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (36, 1794721800000, 'anonymous', 'anonymous', 'administrator', '127.0.0.1', 'delete', 'trapEvent', 'trapevent', '223', '223', 1, null, '{"id":"223","eventOid":"1.3.6.1.4.1.43.45.1.10.2.87.1.3.0.1","name":"h3cMACInformationChangedTrap","alarmLevel":"5","alarmCategory":"7","alarmDesc":"MAC addresses were learnt, removed or moved at {deviceName}","handling":"0"}', null);
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (37, 1794721800000, 'anonymous', 'anonymous', 'administrator', '127.0.0.1', 'delete', 'trapEvent', 'trapevent', '224', '224', 1, null, '{"id":"224","eventOid":"1.3.6.1.4.1.43.45.1.10.2.87.1.4.0.1","name":"h3cMACInformationChangedTrapExt","alarmLevel":"5","alarmCategory":"7","alarmDesc":"MAC addresses were learnt, removed or moved at {deviceName}","handling":"0"}', null);
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (38, 1794721800000, 'anonymous', 'anonymous', 'administrator', '127.0.0.1', 'delete', 'trapEvent', 'trapevent', '225', '225', 1, null, '{"id":"225","eventOid":"1.3.6.1.4.1.43.45.1.10.2.87.1.4.0.2","name":"h3cMACInformationMovedTrap","alarmLevel":"5","alarmCategory":"7","alarmDesc":"MAC addresses were learnt, removed or moved at {deviceName}","handling":"0"}', null);
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (39, 1794721800000, 'anonymous', 'anonymous', 'administrator', '127.0.0.1', 'create', 'maintenance', 'maintenance', '1', '1', 1, null, null, '{"id":"1","name":"Night work","owner":"anonymous","minutes":"60","fromTime":"1794721800","untilTime":"1794725400","endedFrom":"0","endedUntil":"0","device":["1"]}');
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (40, 1794721800000, 'anonymous', 'anonymous', 'administrator', '127.0.0.1', 'create', 'operator', 'operator', '1', '1', 1, null, null, '{"id":"1","name":"alice","role":"administrator","enabled":"true","digest":"true","password":"(not shown)"}');
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (41, 1794721800000, 'alice', 'alice', 'administrator', '127.0.0.1', 'create', 'token', 'token', '1', '1', 1, null, null, '{"id":"1","operatorId":"1","scope":"administrator","description":"of the last release","prefix":"bfy_nWTODX6a","createdTime":"1794721800","expiryTime":"1826257800"}');
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (42, 1794721800000, 'alice', 'alice', '', '127.0.0.1', 'login', 'operator', 'operator', 'alice', 'alice', 1, 'digest', null, null);
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (43, 1794721800000, 'alice', 'alice', '', '127.0.0.1', 'login', 'operator', 'operator', 'alice', 'alice', 1, 'token 1', null, null);
insert into audit (id, time, name, name_key, role, address, action, resource, resource_key, resource_id, resource_id_key, count, detail, before, after) values (44, 1794721800000, 'alice', 'alice', 'administrator', '127.0.0.1', 'raise', 'alarm', 'alarm', '6', '6', 1, null, null, '{"id":"6","OID":"1.3.6.1.4.1.32473.9.3","originalType":"3","deviceId":"0","deviceIp":"127.0.0.1","deviceName":"Belfry","alarmLevel":"2","alarmCategory":"15","faultTime":"1794721800","recTime":"0","recStatus":"0","ackTime":"0","ackStatus":"0","alarmDesc":"while desk-2 was away","parentId":"0","somState":"0","isReceoverFault":"0","eventName":"1.3.6.1.4.1.32473.9.3","alarmType":"1.3.6.1.4.1.32473.9.3","repeats":"1","lastTime":"1794721800","ackUntil":"0","suppressed":"false","shelvedUntil":"0","trapId":"0","recoveredBy":"0"}');
insert into login_place (operator_id, place, last_time) values (1, '127.0.0.1', 1794721800000);
insert into maintenance (id, name, name_key, owner, reason, exectime_type, start_day, end_day, start_time, end_time, selected_week_day, minutes, from_time, until_time, ended_from, ended_until, device, interface, view, zone, event) values (1, 'Night work', 'night work', 'anonymous', null, null, null, null, null, null, null, 60, 1794721800000, 1794725400000, 0, 0, '["1"]', '[]', '[]', '[]', '[]');
insert into report_template_group (template_id, group_id) values (1, 0);
insert into report_template_group (template_id, group_id) values (2, 0);
insert into report_template_group (template_id, group_id) values (3, 0);
insert into report_template_group (template_id, group_id) values (4, 0);
insert into report_template_group (template_id, group_id) values (5, 0);
insert into report_template_group (template_id, group_id) values (6, 0);
insert into report_template_group (template_id, group_id) values (7, 1);
insert into report_template_group (template_id, group_id) values (8, 0);
insert into report_template_group (template_id, group_id) values (9, 0);
insert into report_template_group (template_id, group_id) values (10, 0);
insert into report_type (id, name, name_key, description, report) values (1, 'Alarm Report', 'alarm report', null, 'alarm/summary');
insert into report_type (id, name, name_key, description, report) values (2, 'Availability Report', 'availability report', null, 'device/availability');
insert into report_type (id, name, name_key, description, report) values (3, 'Access Report', 'access report', null, 'access/ip-usage');
insert into report_type (id, name, name_key, description, report) values (4, 'Trap Report', 'trap report', null, null);
insert into report_type (id, name, name_key, description, report) values (5, 'Audit Report', 'audit report', null, null);
insert into operator_group (id, operator_group_name, operator_group_name_key, description, member) values (1, 'Administrator Group', 'administrator group', null, '[]');
insert into operator_group (id, operator_group_name, operator_group_name_key, description, member) values (2, 'Maintainer Group', 'maintainer group', null, '[]');
insert into operator_group (id, operator_group_name, operator_group_name_key, description, member) values (3, 'Viewer Group', 'viewer group', null, '[]');
insert into report_measure (kind, member, at, value) values ('segment', '1', 1794721800000, 1);
insert into report_measure (kind, member, at, value) values ('segment', '2', 1794721800000, 0);
insert into report_measure (kind, member, at, value) values ('taken', '', 1794721800000, 1);
insert into secret (name, key_id, sealed) values ('check', 'da6409e8d40a2935', 'P6Cgx33wNcjdLdpXmuq_BV660J9kGkNCzzl3Qw');
