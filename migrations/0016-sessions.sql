-- Those who have signed in from a browser, and who they are where somebody else says so.

create table session (
  id bigint primary key,
  operator_id bigint not null,
  -- By a password, or through OpenID Connect.
  way text not null,
  address text not null,
  agent text,
  created_time bigint not null,
  expiry_time bigint not null,
  -- SHA-256 of what the cookie holds.
  hash text not null default ''
);
create index session_operator on session (operator_id);

-- An operator as a provider of identities knows it. The subject is a name that is given once and to nobody else; what
-- people are called changes hands.
create table identity (
  operator_id bigint primary key,
  issuer text not null,
  subject text not null
);
create unique index identity_subject on identity (issuer, subject);
