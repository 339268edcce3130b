-- A store that was put back to an older state is noticed by what nodes have seen of it, and what is gone is recorded.

-- How far this node has seen the store.
alter table node add column mark text not null default '';
-- 1: commits waited for a synchronous standby, so that one that is promoted lacks none of them.
alter table fence add column waits integer not null default 0;
-- Of an epoch behind a jump. 1: entries before it are gone or may be, and clients are told.
alter table epoch add column told integer not null default 0;
-- The last entry that is known to be gone; -1: none is.
alter table epoch add column lost_to bigint not null default -1;
-- The ids from which it goes on, by table.
alter table epoch add column ids text not null default '';
-- 1: a client that registered anew after entries were lost, and has not been told yet that it may lack some.
alter table registration add column unsure integer not null default 0;
