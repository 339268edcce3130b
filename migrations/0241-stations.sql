-- beside: 0.2.0
-- Which MAC addresses devices have learnt at their ports, and which addresses of IP belong to them, as they said when they
-- were asked. Rows are written where something has changed.

create table mac_entry (
  id bigint primary key,
  device_id bigint not null,
  mac text not null,
  -- 0: the device does not tell VLANs apart.
  vlan integer not null,
  -- 0: unknown.
  if_index bigint not null,
  port_name text not null,
  -- Whether other devices are behind the port.
  uplink integer not null,
  -- Since when it is at this port, and since when the device does not name it any more; 0: it does.
  learnt bigint not null,
  gone bigint not null
);
create index mac_entry_device on mac_entry (device_id, id);
create index mac_entry_mac on mac_entry (mac, id);
create index mac_entry_port on mac_entry (device_id, if_index);

create table arp_entry (
  id bigint primary key,
  device_id bigint not null,
  ip text not null,
  mac text not null,
  if_index bigint not null,
  port_name text not null,
  learnt bigint not null,
  gone bigint not null
);
create index arp_entry_device on arp_entry (device_id, id);
create index arp_entry_ip on arp_entry (ip, id);
create index arp_entry_mac on arp_entry (mac, id);
