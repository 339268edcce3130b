-- Where operators have logged in from: an address, or of IPv6 the network. There they are heard whatever others do.

create table login_place (
  operator_id bigint not null,
  place text not null,
  last_time bigint not null,
  primary key (operator_id, place)
);
