-- beside: 0.2.0
-- Links between devices as their neighbours show them, each from both of its ends, and the uplinks that follow from them.

create table link (
  id bigint primary key,
  device_id bigint not null,
  -- 0: the port is not known.
  if_index bigint not null,
  other_id bigint not null,
  other_if_index bigint not null,
  state text not null,
  -- Where the other device is: up, down or none.
  direction text not null,
  learnt bigint not null,
  -- Since when nobody has named it; 0: it is there.
  gone bigint not null
);
create unique index link_ends on link (device_id, if_index, other_id, other_if_index);
create index link_device on link (device_id, id);
create index link_other on link (other_id, id);

-- 0: typed in, 1: learnt from neighbours.
alter table device_parent add column origin integer not null default 0;
