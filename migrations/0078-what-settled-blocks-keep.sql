-- What is remembered of the datagrams of a block that are settled, one line each, to recognise those that come again.
-- The datagrams themselves, with their communities, are removed when all of them are settled. A program that does not
-- know this would take what comes again for new.
alter table intake_block add column seen text not null default '';
