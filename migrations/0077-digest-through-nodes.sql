-- beside: 0.2.0
-- Nonces of Digest where several nodes use a store: each is valid at all of them, and each request once. None of it need
-- survive a crash of PostgreSQL, which empties the tables marked as unlogged: with the secret, all nonces from before are
-- stale.

-- unlogged
create table nonce_secret (
  one integer primary key,
  -- Which run of which server made it, and for which table: a copy that is put back has the secret of another.
  server text not null,
  secret text not null
);

-- unlogged
create table nonce_use (
  nonce text not null,
  -- Which request with this nonce it was.
  count bigint not null,
  issued bigint not null,
  primary key (nonce, count)
);
create index nonce_use_issued on nonce_use (issued);
