-- What programs of the interface family read of devices and custom views beyond their addresses and names.

alter table device add column mask text;
alter table device add column sys_name text;
alter table device add column sys_name_key text not null default '';
alter table device add column sys_description text;
alter table device add column sys_oid text;
alter table device add column location text;
alter table device add column contact text;
alter table device add column type_name text;
create index device_sys_name on device (sys_name_key, id);

alter table custom_view add column up_level_symbol_id bigint;
create index custom_view_up_level on custom_view (up_level_symbol_id);
