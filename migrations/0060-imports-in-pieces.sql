-- Files of records that are being imported piece by piece: how far each of them is. A row goes with its last piece.

create table import_progress (
  resource text not null,
  -- The SHA-256 of the file: sent again, it goes on where it broke off.
  digest text not null,
  rows_done bigint not null,
  rows_replaced bigint not null,
  time bigint not null,
  primary key (resource, digest)
);
