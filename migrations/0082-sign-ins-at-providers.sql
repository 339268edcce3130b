-- When an operator last signed in through the provider of identities: the tokens of somebody who no longer does, end.
-- beside: 0.2.0

alter table identity add column signed_in bigint not null default 0;
-- As far as it is known.
update identity set signed_in = coalesce((select max(created_time) from session where session.operator_id = identity.operator_id), (select last_time from login where subject = 'operator ' || identity.operator_id), 0);
