-- Zones hold devices and segments; devices hang behind others; views contain views; events say that a device is out of
-- reach.

alter table device add column zone_id bigint not null default 1;
alter table device add column parent text not null default '[]';
create index device_zone on device (zone_id, id);

alter table ip_scope add column zone_id bigint not null default 1;
create index ip_scope_zone on ip_scope (zone_id, id);

-- A segment may lie in another zone than the one around it: by which zones each top segment is found.
create view ip_scope_in_zone as
with recursive inside (top_id, id, zone_id) as (
  select id, id, zone_id from ip_scope where parent_id = -1
  union all
  select inside.top_id, child.id, child.zone_id from ip_scope child join inside on child.parent_id = inside.id
)
select top_id, zone_id from inside;

-- The links of devices to those they hang behind, row by row: what hangs behind a device is looked up by its parent.
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
