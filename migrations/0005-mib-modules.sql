-- Modules (MIBs) that name what traps carry. What was read of one is kept apart from what lists show.

create table mib_module (
  id bigint primary key,
  name text not null,
  name_key text not null,
  file text,
  loaded_time bigint not null,
  objects integer not null,
  notifications integer not null,
  remark text not null
);
create unique index mib_module_name on mib_module (name);
create index mib_module_order on mib_module (name_key, id);

create table mib_definition (
  module_id bigint primary key,
  content text not null
);
