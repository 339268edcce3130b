-- Digests of SNMPv3 messages whose time says nothing (users with relaxedTime): after a restart, too, none is taken twice.
create table snmp_taken (
  -- The number by the size of the ring: a new message takes the place of the oldest.
  slot bigint primary key,
  number bigint not null,
  digest text not null
);
