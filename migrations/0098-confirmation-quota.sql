-- beside: 0.2.0
-- How many codes were sent to addresses of a contact since when. Of a contact that is an operator the operator is named:
-- contacts and channels can be deleted and made anew.

create table confirmation_quota (
  holder text primary key,
  sent integer not null,
  since bigint not null
);

-- The addresses and ports at which a node listens, so that no node sends messages there.

alter table node_profile add column listeners text not null default '';
