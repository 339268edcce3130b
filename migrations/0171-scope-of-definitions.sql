-- beside: 0.2.0
-- Of which devices, types and zones a definition of messages is.

alter table message_definition add column device text not null default '[]';
alter table message_definition add column type_name text not null default '[]';
alter table message_definition add column zone text not null default '[]';
