-- beside: 0.2.0
-- Whether devices answer. A node writes what came of its questions; the leader decides what that means.

create table reachability (
  -- The device.
  id bigint primary key,
  -- 0: it is no longer asked.
  profile_id bigint not null,
  state text not null,
  since bigint not null,
  reason text not null,
  problem text not null,
  failing_since bigint not null,
  last_answer bigint not null,
  -- Since when its agent runs, as it says; and when a restart was noticed.
  agent_start bigint not null,
  restart_time bigint not null,
  -- Hundredths of a second, as it said at its last answer.
  uptime bigint not null,
  -- Questions in a row without an answer, counted up to the number that decides.
  failures integer not null,
  -- Whether it has ever answered.
  answered integer not null,
  -- The range of the profile that it is in, and the network around it.
  address_range text not null,
  network text not null,
  -- The silent range that stands for it.
  silent_range text not null default '',
  -- Until when its silence waits for that of its range.
  held_until bigint not null default 0,
  restart_pending integer not null default 0,
  -- Whether the leader has to look at it.
  attention integer not null default 0
);
create index reachability_state on reachability (state, id);
create index reachability_reason on reachability (reason, id);
create index reachability_attention on reachability (id) where attention = 1;
create index reachability_range on reachability (address_range, answered, failures);
create index reachability_network on reachability (network, answered, failures);
create index reachability_silent_range on reachability (silent_range, id) where silent_range <> '';
