-- All tables, in the part of SQL that SQLite and PostgreSQL share. Columns named …_key are for searching and sorting:
-- letter case removed, addresses in fixed width.

-- Counters by name, and totals that are kept up to date as rows come and go.

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

-- Inventory: zones, devices and what they are connected to, addresses, bindings of terminals, views.

create table zone (
  id bigint primary key,
  name text not null,
  name_key text not null,
  description text
);
create unique index zone_name on zone (name_key);

create table device (
  id bigint primary key,
  ip text not null,
  ip_key text not null,
  label text not null,
  label_key text not null,
  interfaces text not null,
  other_address text not null,
  -- What iMC-compatible clients read beyond addresses and names.
  mask text,
  sys_name text,
  sys_name_key text not null default '',
  sys_description text,
  sys_oid text,
  location text,
  contact text,
  type_name text,
  zone_id bigint not null default 1,
  -- Its uplinks.
  parent text not null default '[]'
);
create index device_ip on device (ip_key, id);
create index device_ip_text on device (ip);
create index device_label on device (label_key, id);
create index device_sys_name on device (sys_name_key, id);
create index device_zone on device (zone_id, id);

-- Every address of every device, so that a sender is found by any of them.
create table device_address (
  ip text primary key,
  device_id bigint not null
);
create index device_address_device on device_address (device_id);

-- The uplinks of devices, row by row: what is downstream of a device is looked up by its parent.
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
  free_from text not null default '',
  zone_id bigint not null default 1
);
create index ip_scope_in_parent on ip_scope (parent_id, id);
create index ip_scope_parent on ip_scope (parent_id, start_ip_key);
create index ip_scope_name on ip_scope (parent_id, name_key, id);
create index ip_scope_range on ip_scope (start_ip_key, end_ip_key);
create index ip_scope_zone on ip_scope (zone_id, id);

-- A segment may lie in another zone than the one around it: the zones by which each top segment is found.
create view ip_scope_in_zone as
with recursive inside (top_id, id, zone_id) as (
  select id, id, zone_id from ip_scope where parent_id = -1
  union all
  select inside.top_id, child.id, child.zone_id from ip_scope child join inside on child.parent_id = inside.id
)
select top_id, zone_id from inside;

create table assigned_ip (
  id bigint primary key,
  ip text not null,
  ip_key text not null,
  name text,
  name_key text not null,
  description text,
  description_key text not null,
  parent_id bigint not null,
  terminal_mac text
);
create unique index assigned_ip_address on assigned_ip (ip_key);
create index assigned_ip_in_scope on assigned_ip (parent_id, ip_key, id);
create index assigned_ip_name on assigned_ip (parent_id, name_key, id);
create index assigned_ip_description on assigned_ip (parent_id, description_key);
create index assigned_ip_text on assigned_ip (parent_id, ip);
-- Whose an address is, and what it is called: by these it is found for a terminal of that name.
create index assigned_ip_owner on assigned_ip (name_key, id);
create index assigned_ip_called on assigned_ip (description_key, id);

create table mac_access_bind (
  id bigint primary key,
  terminal_mac text not null,
  terminal_mac_key text not null,
  terminal_name text,
  terminal_name_key text not null,
  bind_type integer not null,
  maintainer text,
  maintainer_key text not null,
  if_info text not null,
  vlan integer
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

create table custom_view (
  id bigint primary key,
  name text not null,
  name_key text not null,
  all_devices integer,
  member text not null,
  up_level_symbol_id bigint,
  view text not null default '[]'
);
create unique index custom_view_name on custom_view (name_key);
create index custom_view_up_level on custom_view (up_level_symbol_id);

-- Notifications: what they mean, the rules that filter them, the modules that name what they carry, and recent ones.

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
  recovers text not null,
  out_of_reach integer
);
create unique index trap_event_oid on trap_event (event_oid);
create index trap_event_name on trap_event (name_key, id);
create index trap_event_level on trap_event (alarm_level, id);
create index trap_event_category on trap_event (alarm_category, id);

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

-- How often each trap rule has filtered, and when last.
create table trap_rule_hit (
  rule_id bigint primary key,
  hits bigint not null,
  last_hit bigint not null
);

-- MIB modules. Their content is in a table apart from the one that lists read.
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

-- How many datagrams had each outcome, for each reason.
create table trap_ledger (
  bin text not null,
  reason text not null,
  n bigint not null,
  last_time bigint not null,
  last_source text not null,
  primary key (bin, reason)
);

-- The ledger of datagrams by sender.
create table trap_source_ledger (
  source_ip text not null,
  bin text not null,
  reason text not null,
  n bigint not null,
  last_time bigint not null,
  primary key (source_ip, bin, reason)
);
-- Rows are removed in the order in which senders fell silent.
create index trap_source_ledger_silent on trap_source_ledger (last_time);

-- Clocks of SNMPv3 engines, so that a replay is refused across restarts.
create table snmp_engine (
  engine_id text primary key,
  boots bigint not null,
  time bigint not null,
  received_at bigint not null
);

-- Digests of SNMPv3 messages whose time proves nothing (users with relaxedTime): none is accepted twice, not even after a
-- restart.
create table snmp_taken (
  -- The number by the size of the ring: a new message takes the place of the oldest.
  slot bigint primary key,
  number bigint not null,
  digest text not null
);

-- Authenticated SNMPv3 messages accepted lately: none is accepted twice, whichever node leads.
create table snmp_seen (
  slot bigint primary key,
  number bigint not null,
  engine_id text not null,
  boots bigint not null,
  time bigint not null,
  digest text not null
);

-- Alarms, the log of their changes, and what is done with them.

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
  last_time bigint not null,
  -- Level and views at each push, as a list of [level, views]; null and * where they are no longer known. The end of an
  -- alarm goes to every client that could have received it, whatever its level or its device's views have become.
  pushed text not null default '[[null,"*"]]',
  -- The interface it is about, where it is about one.
  if_index bigint,
  if_desc text,
  -- The trap that raised it and why, and the recovery alarm that ended it; 0 where there is none.
  trap_id bigint not null default 0,
  reason text not null default '',
  recovered_by bigint not null default 0,
  -- The entry of the log in which it was raised.
  entry bigint not null default 0,
  -- When it was reported again, in intervals.
  repeat_trail text not null default '[]',
  -- What operators did with it.
  owner text not null default '',
  note text not null default '',
  ack_until bigint not null default 0,
  first_ack_time bigint not null default 0,
  -- Whether pushes are held back, and by what. `hidden`: it was never pushed to anyone.
  suppressed integer not null default 0,
  suppressed_by text not null default '[]',
  shelved_until bigint not null default 0,
  shelved_level integer not null default 0,
  hidden integer not null default 0,
  -- 1: it means that the device is out of reach.
  out_of_reach integer not null default 0,
  -- The open alarm that caused it by the topology, and until when the service waits for one; 0: none, not at all.
  cause_id bigint not null default 0,
  cause_until bigint not null default 0
);
create index alarm_availability on alarm (device_id, id) where rec_status = 0 and alarm_category = 2;
-- The order in which recovered alarms are forgotten; a new alarm does not pay for it.
create index alarm_ended on alarm (rec_time, id) where rec_status = 1;
create index alarm_device on alarm (device_id, id);
create index alarm_status on alarm (rec_status, id);
create index alarm_acknowledged on alarm (ack_status, id);
create index alarm_level on alarm (alarm_level, id);
create index alarm_time on alarm (fault_time, id);
create index alarm_event on alarm (oid, id);
-- The identity of an alarm: device, resource and type; one of each is open at a time. Hosts that are no devices share
-- device 0: their alarms are told apart by the address.
create unique index alarm_open on alarm (device_id, resource, alarm_type, (case when device_id = 0 then device_ip else '' end)) where rec_status = 0;
-- None of the following costs an alarm that nobody works on.
create index alarm_owner on alarm (owner, id) where owner <> '';
create index alarm_ack_until on alarm (ack_until, id) where ack_until > 0;
create index alarm_hidden on alarm (id) where hidden = 1;
create index alarm_parent on alarm (parent_id, id) where parent_id > 0;
-- What is due is looked for every second. The state comes first in these indexes: where it stood in their conditions,
-- SQLite preferred the index of all open alarms, and read each of them.
create index alarm_shelved on alarm (rec_status, shelved_until, id) where shelved_until > 0;
create index alarm_suppressed on alarm (rec_status, fault_time, id) where suppressed = 1;
create index alarm_cause on alarm (rec_status, cause_id, id) where cause_id > 0 and cause_until = 0;
create index alarm_cause_until on alarm (rec_status, cause_until, id) where cause_until > 0;
-- Service alarms, among those of senders that are no devices. Not "device_id = 0": with a condition on one device SQLite
-- plans every statement with "device_id = ?" anew for each device. Nothing asks for "device_id < ?".
create index alarm_own on alarm (rec_status, alarm_type, resource) where device_id < 1;
-- Of a device with thousands of ports that are down, only those are read that lead to another device.
create index alarm_out_of_reach on alarm (device_id, if_index, id) where out_of_reach = 1 and rec_status = 0;

-- Numbers come from a counter row in the same transaction, so that they become visible in order.
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
  alarm text not null,
  -- The views that the device was in, as a list with commas; * where that is not known.
  views text not null default '*',
  -- Who gets an entry: 1 clients that asked for everything, 2 those that asked for causes alone, 3 both, 0 nobody.
  audience integer not null default 3,
  -- Shown to clients that asked for it, and to nobody else.
  more text not null default ''
);

-- Every start of the service opens an epoch, so that a position from another history is noticed.
create table epoch (
  number bigint primary key,
  first_entry bigint not null,
  started_at bigint not null,
  -- Where another server serves the store than before, numbers jump, so that none that clients have seen of a lost history
  -- is used again. The last number before the jump; -1 where there was none.
  last_before bigint not null default -1,
  -- Of an epoch after a jump. 1: entries before it are gone or may be, and clients are told.
  told integer not null default 0,
  -- The last entry that is known to be gone; -1: none is.
  lost_to bigint not null default -1,
  -- The ids from which it goes on, by table.
  ids text not null default ''
);

-- What happened to an alarm apart from its beginning, its repeats and its end, by the number of the entry in the log.
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

-- Changes of many alarms at once: a start resumes those that are under way.
create table alarm_batch (
  id bigint primary key,
  action text not null,
  filter text not null,
  content text not null,
  user_name text not null,
  -- Alarms up to `done_to` are done; those above `up_to` came later.
  done_to bigint not null,
  up_to bigint not null,
  changed bigint not null,
  started_at bigint not null,
  -- How many alarms it found, when it last made progress, and when it ended.
  found bigint not null default 0,
  touched_at bigint not null default 0,
  ended_at bigint not null default 0
);

-- Figures by day of the members of a dimension: all, zones, devices, events.
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

-- Alarms that flap, each with its summary alarm.
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

-- The device's uptime at the last recovery: a fault from before it that arrives later, by another node, is out of date.
create table recovery (
  device_id bigint not null,
  resource text not null,
  alarm_type text not null,
  uptime bigint not null,
  received_at bigint not null,
  primary key (device_id, resource, alarm_type)
);
create index recovery_time on recovery (received_at);

-- Open alarms of events without a definition, by device: there is a limit to them.
create table unknown_alarm (
  alarm_id bigint primary key,
  device_id bigint not null
);
create index unknown_alarm_device on unknown_alarm (device_id);

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
  -- The interval of a window that is defined by its minutes.
  from_time bigint not null,
  until_time bigint not null,
  -- Where it was ended early: between these it is not in force.
  ended_from bigint not null,
  ended_until bigint not null,
  device text not null,
  interface text not null,
  view text not null,
  zone text not null,
  event text not null
);
create unique index maintenance_name on maintenance (name_key);

-- How many alarms each maintenance window has held back, and when last.
create table maintenance_hit (
  maintenance_id bigint primary key,
  hits bigint not null,
  last_hit bigint not null
);

-- Clients that registered for alarms by a uuid: a cursor over the alarm log each.
create table registration (
  uuid text primary key,
  -- Changes with every registration: an older connection finds that it has been taken over.
  owner text not null,
  query text not null,
  -- Everything up to here counts as received; replay starts after it.
  cursor bigint not null,
  -- The last entry that was written to it.
  position bigint not null,
  connected integer not null,
  created_at bigint not null,
  last_seen bigint not null,
  last_write bigint not null,
  -- 1: forgotten after a long absence; the row remains so that the gap can be reported.
  expired integer not null,
  -- The operator who registered it: empty while there are no operators.
  holder text not null default '',
  -- What was written to a client on three connections counts as delivered: how far the last two came.
  written_once bigint not null default 0,
  written_twice bigint not null default 0,
  -- Pushes from before this time were not sent to the client; 0: all pushes count as sent.
  given_from bigint not null default 0,
  -- The node it is connected to: one that starts disconnects only the clients of its earlier run.
  node text not null default '',
  -- 1: it registered anew after entries were lost, and has not been told yet that it may lack some.
  unsure integer not null default 0
);
create index registration_seen on registration (connected, last_seen);
create index registration_holder on registration (holder, expired, connected, last_seen);

-- Operators, what they sign in with, and what they did.

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

-- Apart from the operator, so that nothing that shows or exports operators can show a password.
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

-- 1 to 3 are the roles, whose members are the operators with the role; others list their members.
create table operator_group (
  id bigint primary key,
  operator_group_name text not null,
  operator_group_name_key text not null,
  description text,
  member text not null
);
create unique index operator_group_name on operator_group (operator_group_name_key);

-- Tokens for programs.
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

-- When an operator, or a token, was last used.
create table login (
  subject text primary key,
  last_time bigint not null
);

-- Where operators have logged in from: an address, or of IPv6 the network. From there they are admitted whatever others do.
create table login_place (
  operator_id bigint not null,
  place text not null,
  last_time bigint not null,
  primary key (operator_id, place)
);

-- Failed logins of the last minutes, which nodes count together. Names are digests, because people type passwords there.
create table login_failure (
  id bigint primary key,
  -- The run of the service at which it failed.
  seen_by text not null,
  -- 0 where there is no such operator.
  operator_id bigint not null,
  name_digest text not null,
  place text not null,
  at bigint not null
);
create index login_failure_at on login_failure (at);

-- Sign-ins from a browser.
create table session (
  id bigint primary key,
  operator_id bigint not null,
  -- By a password, or through OpenID Connect.
  way text not null,
  address text not null,
  agent text,
  created_time bigint not null,
  expiry_time bigint not null,
  -- SHA-256 of the cookie's value.
  hash text not null default '',
  -- When the identity provider last asked the person to sign in, as far as it said so.
  present_time bigint
);
create index session_operator on session (operator_id);

-- An operator as an identity provider knows it. The subject is given once and to nobody else, unlike a name.
create table identity (
  operator_id bigint primary key,
  issuer text not null,
  subject text not null,
  -- When the operator last signed in through the provider: tokens of somebody who no longer does so end.
  signed_in bigint not null default 0
);
create unique index identity_subject on identity (issuer, subject);

-- Finished sign-ins through an identity provider: each is valid once, at all nodes together.
create table used_sign_in (
  mark text primary key,
  used_time bigint not null
);

-- Who changed what, when and from where. Rows are added, and removed from the old end when they are due; never changed.
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

-- Sealed with the key of the installation, which is in a file and never here.
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

-- Terminals: where they are and were, and the alarms about them.

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

-- The places where a terminal has been.
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

-- Open alarms about terminals, by terminal and by port: there is a limit at each port. The summary alarm for those above
-- it names no terminal.
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

-- Reports: templates, their types, who sees them, and the results of runs.

create table report_type (
  id bigint primary key,
  name text not null,
  name_key text not null,
  description text,
  -- The report of custom templates of this type that select nothing.
  report text
);
create unique index report_type_name on report_type (name_key);

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
  operator_group text not null,
  -- Which report a pre-defined template runs; empty for all others.
  report text not null default '',
  -- What a custom one selects: the data, columns, filter, groups and chart.
  data text,
  column_names text,
  filter_text text,
  group_by text,
  chart text
);
create index report_template_definition on report_template (custome_def, id);
create index report_template_name on report_template (name_key);
create index report_template_type on report_template (report_type_name_key);

-- The groups that see a template; 0 stands for everyone.
create table report_template_group (
  template_id bigint not null,
  group_id bigint not null,
  primary key (template_id, group_id)
);
create index report_template_group_of on report_template_group (group_id, template_id);

-- Runs, the last of each template and schedule. Their content is in a table apart from the one that lists read.
create table report_result (
  id bigint primary key,
  template_id bigint not null,
  -- The schedule that ran it; null where a person did.
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
  -- Why the run failed, where it did.
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

-- Results and schedules are seen by those who see their template, unless they are confined.
create view report_result_group as
select r.id as result_id, g.group_id from report_result r join report_template_group g on g.template_id = r.template_id
where r.confined = 0;

create view report_schedule_group as
select s.id as schedule_id, g.group_id from report_schedule s join report_template_group g on g.template_id = s.template_id;

-- For later comparison, once a day: the addresses taken in each segment, and the outcomes of each sender. A value that has
-- not changed since it was last written is not written again.
create table report_measure (
  kind text not null,
  member text not null,
  at bigint not null,
  value bigint not null,
  primary key (kind, member, at)
);
create index report_measure_at on report_measure (kind, at);

-- Work under way, and the state of the store itself.

-- How far each file is that is being imported piece by piece. The row is removed with the last piece.
create table import_progress (
  resource text not null,
  -- The SHA-256 of the file: sent again, the import resumes where it broke off.
  digest text not null,
  rows_done bigint not null,
  rows_replaced bigint not null,
  time bigint not null,
  primary key (resource, digest)
);

-- Whether the clock of the store can be trusted when something is deleted because of its age. One row, once it was in
-- doubt.
create table store_clock (
  one integer primary key,
  -- Milliseconds by which it has jumped while a service ran; 0 once that is undone or confirmed.
  jump bigint not null,
  -- The time to which it jumped last.
  jumped_to bigint not null,
  -- 1: an administrator has confirmed that it is right although most nodes differ from it.
  trusted integer not null
);

-- Always empty: on PostgreSQL a row is written and rolled back every two seconds, to find out whether there is room.
create table probe (
  filler text not null
);

-- Several services on one store: each is a node that receives, and one of them leads. On SQLite these tables stay empty.

create table node (
  name text primary key,
  -- When it started, on the store's clock: tells a node from its earlier run.
  start bigint not null,
  address text not null,
  version text not null,
  last_sign bigint not null,
  -- How far its own clock is ahead of the store's, in milliseconds.
  clock_offset bigint not null,
  -- 1 after an orderly stop, which is no reason for an alarm.
  stopped integer not null,
  -- 1 once the leader has declared it gone.
  gone integer not null,
  -- How far this node has seen the store: by it a store that was put back to an older state is noticed.
  mark text not null default ''
);

-- Which keys and settings each node has.
create table node_profile (
  node text primary key,
  -- The keys in its file, by their ids.
  key_ids text not null,
  -- Keyed digests of the settings that must agree, by name, as JSON, and the key.
  settings text not null,
  -- When it last had other settings than before, on the store's clock.
  changed_at bigint not null
);

-- The leader. Renewed apart from all other work.
create table lease (
  one integer primary key,
  holder text not null,
  start bigint not null,
  term bigint not null,
  ends_at bigint not null
);

-- Every transaction of the leader locks and compares it. Where the store was when the term began.
create table fence (
  one integer primary key,
  term bigint not null,
  -- The database session of the leader: whoever takes over may end it.
  backend text not null,
  system text not null,
  timeline bigint not null,
  -- 1: commits waited for a synchronous standby, so that one that is promoted lacks none of them.
  waits integer not null default 0
);

-- Datagrams as they were received. A block survives the node that received it.
create table intake_block (
  node text not null,
  start bigint not null,
  sequence bigint not null,
  -- When it was put here, on the store's clock.
  kept_at bigint not null,
  datagrams integer not null,
  -- Base64 of the packed datagrams.
  bytes text not null,
  -- What the storm guard has counted, and which senders storm.
  counted text not null,
  attempts integer not null,
  -- How much of it is processed, where that is done piece by piece.
  done integer not null,
  settled_at bigint not null,
  -- One line for each datagram that is processed, to recognise those that come again. The datagrams, with their
  -- communities, are removed when all are processed.
  seen text not null default '',
  primary key (node, start, sequence)
);
create index intake_block_waiting on intake_block (start, node, sequence) where settled_at = 0;
create index intake_block_settled on intake_block (settled_at) where settled_at > 0;

-- The quarantine: datagrams that could not be processed, for people to look at.
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

-- Answers to informs, and reports: sent by the node that received the message, within the same run.
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

-- Nonces of Digest: each is valid at all nodes, and each request once. A crash of PostgreSQL empties the tables marked as
-- unlogged: without the secret, all nonces from before are stale.
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
