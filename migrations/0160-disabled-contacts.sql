-- beside: 0.2.0
-- Contacts that are told of nothing, such as those of operators who were removed.

alter table contact add column enabled integer not null default 1;
