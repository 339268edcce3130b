-- When the operator of a session was last asked to sign in by the provider of identities, as far as that said; and the
-- sign-ins through it that were finished, each of which is good once, whichever node is asked.
-- beside: 0.2.0

alter table session add column present_time bigint;

create table used_sign_in (
  mark text primary key,
  used_time bigint not null
);
