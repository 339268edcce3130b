-- Notifications of people: routes, incidents and the ledger.
-- beside: 0.2.0
create table notify_route (
  id bigint primary key,
  name text not null,
  name_key text not null,
  position integer not null,
  enabled integer not null,
  go_on integer not null,
  filter text not null,
  time_zone text,
  week_days text,
  from_time text,
  to_time text,
  delay integer not null,
  repeat_after integer not null,
  step text not null,
  at_end text not null,
  hourly_limit integer not null,
  -- Entries of the log up to this number are not for it.
  since bigint not null
);
create unique index notify_route_name on notify_route (name_key);
create index notify_route_position on notify_route (position, id);

create table notify_incident (
  id bigint primary key,
  route_id bigint not null,
  kind text not null,
  -- The alarm that its members follow from; 0 for a storm or a summary.
  root_id bigint not null,
  -- The alarm that messages are about.
  alarm_id bigint not null,
  alarm_level integer not null,
  -- That alarm as messages show it, as JSON.
  alarm text not null,
  state text not null,
  -- How many alarms were counted into it, and how many of them are over.
  alarms integer not null,
  ended integer not null,
  -- The step that is due next, and when.
  step integer not null,
  due_at bigint,
  -- The row of the ledger that waits for the step; 0 for none.
  head bigint not null,
  opened_at bigint not null,
  changed_at bigint not null,
  closed_at bigint
);
create unique index notify_incident_root on notify_incident (route_id, root_id) where closed_at is null and root_id > 0;
create index notify_incident_due on notify_incident (due_at, id) where due_at is not null;
create index notify_incident_group on notify_incident (route_id, kind, id) where closed_at is null and root_id = 0;
create index notify_incident_closed on notify_incident (closed_at, id) where closed_at is not null;

-- Open alarms of open incidents.
create table notify_member (
  route_id bigint not null,
  alarm_id bigint not null,
  incident_id bigint not null,
  primary key (route_id, alarm_id)
);
create index notify_member_alarm on notify_member (alarm_id);
create index notify_member_incident on notify_member (incident_id, alarm_id);

-- The ledger.
create table notification (
  id bigint primary key,
  route_id bigint not null,
  incident_id bigint not null,
  alarm_id bigint not null,
  -- The entry of the log; 0 where time alone was the reason.
  log_number bigint not null,
  change text not null,
  detail text not null,
  step integer not null,
  contact_id bigint not null,
  channel_id bigint not null,
  outcome text not null,
  reason text,
  attempts integer not null,
  message_id text not null,
  -- 1 from the commit of an attempt to the commit of its answer.
  attempt_open integer not null,
  created_time bigint not null,
  attempt_time bigint not null,
  end_time bigint not null,
  -- When it is to be sent next; absent where it is not, or not yet.
  due_at bigint,
  give_up_at bigint not null,
  reference text,
  answer text
);
create index notification_due on notification (channel_id, due_at, id) where due_at is not null;
create index notification_pending on notification (incident_id, channel_id, id) where outcome = 'pending';
create index notification_attempt on notification (id) where attempt_open = 1;
create index notification_incident on notification (incident_id, channel_id, id);
create index notification_alarm on notification (alarm_id, id);
create index notification_route on notification (route_id, id);
create index notification_contact on notification (contact_id, id);
create index notification_channel on notification (channel_id, id);
create index notification_outcome on notification (outcome, id);
create index notification_created_time on notification (created_time, id);

-- How much of a limit was used since a time: of a route, a channel, or new incidents of a route.
create table notify_quota (
  name text primary key,
  began_at bigint not null,
  used integer not null
);

-- How many rows of the ledger were written, and how many ended as what, ever: rows are removed when they are old.
create table notify_count (
  name text primary key,
  n bigint not null
);
