-- Which node a durable client is connected to: one that starts disconnects only what belonged to its earlier self.
alter table registration add column node text not null default '';

-- Failed logins of the last minutes, for nodes to count them together. Names are kept as digests: people type passwords there.
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
