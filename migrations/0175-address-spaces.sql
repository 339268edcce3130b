-- beside: 0.2.0
-- Two sites may use the same addresses: an address is unique within its space. 0, or nothing: the default space.

alter table device add column space integer;
create index device_space on device (space, id);

create table device_address_in_space (
  ip text not null,
  space integer not null default 0,
  device_id bigint not null,
  primary key (ip, space)
);
insert into device_address_in_space (ip, space, device_id) select ip, 0, device_id from device_address;
drop table device_address;
alter table device_address_in_space rename to device_address;
create index device_address_device on device_address (device_id);

-- In which space a trap was heard.
alter table trap add column space integer;
