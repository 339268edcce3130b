-- Where a store is served by another server than before, numbers jump: what clients have seen of a lost history is not
-- used again. The last number before the jump; -1 where there was none.
alter table epoch add column last_before bigint not null default -1;
