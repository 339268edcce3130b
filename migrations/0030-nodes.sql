-- Several services on one store: each is a node that receives, one of them settles. Embedded stores leave this empty.
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

-- Who settles. Renewed apart from all other work.
create table lease (
  one integer primary key,
  holder text not null,
  start bigint not null,
  term bigint not null,
  ends_at bigint not null
);

-- What every transaction of the one who settles locks and compares; and where the store was when the term began.
create table fence (
  one integer primary key,
  term bigint not null,
  -- The session of the database that settles: whoever takes over may end it.
  backend text not null,
  system text not null,
  timeline bigint not null
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

-- Datagrams that could not be settled, for people to look at.
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

-- Answers to informs, and reports: sent by the node that received, as long as it is the same start of it.
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

-- Authenticated SNMPv3 messages taken lately: none is taken twice, whichever node goes on with the work.
create table snmp_seen (
  slot bigint primary key,
  number bigint not null,
  engine_id text not null,
  boots bigint not null,
  time bigint not null,
  digest text not null
);

-- The device's own time at the last recovery: a fault from before it that arrives later, by another node, is overtaken.
create table recovery (
  device_id bigint not null,
  resource text not null,
  alarm_type text not null,
  uptime bigint not null,
  received_at bigint not null,
  primary key (device_id, resource, alarm_type)
);
create index recovery_time on recovery (received_at);
