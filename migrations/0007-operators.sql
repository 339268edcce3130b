-- Who may call: operators, what their passwords are checked by, and tokens for programs.

create table operator (
  id bigint primary key,
  name text not null,
  name_key text not null,
  full_name text,
  role text not null,
  enabled integer,
  digest integer,
  description text
);
create unique index operator_name on operator (name_key);

-- Apart from the operator, so that nothing that shows or exports operators can show it.
create table credential (
  operator_id bigint primary key,
  -- argon2id, with its parameters.
  password text not null,
  -- What Digest needs is as good as the password itself: kept only for operators who may use it.
  sha256 text,
  md5 text,
  realm text not null,
  changed_at bigint not null
);

create table token (
  id bigint primary key,
  operator_id bigint not null,
  scope text not null,
  description text,
  -- How the token begins, so that people can tell theirs apart.
  prefix text not null,
  created_time bigint not null,
  expiry_time bigint not null,
  -- SHA-256 of the token.
  hash text not null default ''
);
create index token_operator on token (operator_id);

-- When an operator, or a token, was last used.
create table login (
  subject text primary key,
  last_time bigint not null
);

-- Whose the uuid is: empty while there are no operators.
alter table registration add column holder text not null default '';
