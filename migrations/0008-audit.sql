-- Who changed what, when and from where. Rows are added, and removed from the old end when they are due; never changed.

create table audit (
  id bigint primary key,
  time bigint not null,
  name text not null,
  name_key text not null,
  role text not null,
  address text not null,
  action text not null,
  resource text not null,
  resource_key text not null,
  resource_id text not null,
  resource_id_key text not null,
  count bigint not null,
  detail text,
  before text,
  after text
);
create index audit_time on audit (time, id);
create index audit_name on audit (name_key, id);
create index audit_resource on audit (resource_key, resource_id_key, id);
