-- What reports compare with later: once a day, how many addresses each segment has taken, and what came of each sender.
-- Where a value has not changed since it was last written, it is not written again.

create table report_measure (
  kind text not null,
  member text not null,
  at bigint not null,
  value bigint not null,
  primary key (kind, member, at)
);
create index report_measure_at on report_measure (kind, at);
