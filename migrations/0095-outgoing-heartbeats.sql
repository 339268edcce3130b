-- beside: 0.2.0
-- Heartbeats that the service sends while it is healthy, so that others notice when it is not.

create table outgoing_heartbeat (
  id bigint primary key,
  name text not null,
  name_key text not null,
  description text,
  every_seconds integer not null,
  enabled integer,
  -- Its address is a secret, sealed elsewhere.
  url_set integer not null,
  gateway_id bigint,
  address text,
  attempt_time bigint not null,
  last_time bigint not null,
  -- Since when it is not delivered; 0 while it is.
  failing_since bigint not null,
  reason text not null
);
create unique index outgoing_heartbeat_name on outgoing_heartbeat (name_key);
create index outgoing_heartbeat_name_id on outgoing_heartbeat (name_key, id);
create index outgoing_heartbeat_gateway on outgoing_heartbeat (gateway_id) where gateway_id is not null;
