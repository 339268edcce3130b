-- Alarms that flap, each with the one that stands for it; and the ledger of datagrams by their sender.

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
