-- What is sealed with the key of the installation, which is in a file and never here; the name of the installation; and
-- what each node has of keys and settings.
-- beside: 0.2.0

create table secret (
  name text primary key,
  -- The key with which it was sealed: its digest, not the key.
  key_id text not null,
  sealed text not null
);

create table installation (
  one integer primary key,
  name text not null
);

create table node_profile (
  node text primary key,
  -- The keys in its file, by their ids.
  key_ids text not null,
  -- Keyed digests of the settings that decide, by name, as JSON, and the key.
  settings text not null,
  -- When it last had other settings than before, on the store's clock.
  changed_at bigint not null
);
