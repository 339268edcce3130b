-- beside: 0.2.0
-- Vendors give different modules the same name. Where one hangs in the tree and when it was last updated tell them apart.

alter table mib_module add column enterprise text not null default '';
alter table mib_module add column revision text not null default '';
drop index mib_module_name;
create unique index mib_module_name on mib_module (name, enterprise, revision);
