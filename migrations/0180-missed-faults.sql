-- beside: 0.2.0
-- Faults that devices have and did not report: what was seen of their parts, and what was found.

create table seen_state (
  -- The device.
  id bigint primary key,
  -- When it was last looked at.
  seen bigint not null,
  -- Parts that were good or had an alarm, as JSON: by what was looked at, then by instance, each with its name and the alarm.
  parts text not null
);
create index seen_state_seen on seen_state (seen);

-- What the leader has to raise.
create table found_fault (
  device_id bigint not null,
  -- The event that tells of such a fault, and where in its table the part is.
  event text not null,
  instance text not null,
  -- The parts of an alarm's resource that make the instance.
  part_keys text not null,
  -- The variables that a report of the event carries, as JSON.
  variables text not null,
  value text not null,
  -- When the device was asked for the second time.
  asked bigint not null,
  -- The open alarm about the same part, which has another instance now; 0: there is none.
  moved bigint not null default 0,
  primary key (device_id, event, instance)
);
