-- Whether the clock of the store can be trusted when something is deleted because of its age. One row, once it was in
-- doubt.

create table store_clock (
  one integer primary key,
  -- Milliseconds by which it has jumped while a service settled; 0 once that is undone or confirmed.
  jump bigint not null,
  -- The time to which it jumped last.
  jumped_to bigint not null,
  -- 1: an administrator has confirmed that it is right although most nodes differ from it.
  trusted integer not null
);
