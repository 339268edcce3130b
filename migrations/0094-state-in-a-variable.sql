-- beside: 0.2.0
-- An event may raise, end or be stored by the value of one of its variables.

alter table trap_event add column state text not null default '[]';
