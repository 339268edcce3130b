-- beside: 0.2.0
-- Faults that were found and could not be raised, since the alarm of another part is open where theirs would be: the device
-- is asked about them again.

-- The name of the part.
alter table found_fault add column name text not null default '';
-- The open alarm that the part has at this place already, beside that which has another one; 0: there is none.
alter table found_fault add column own bigint not null default 0;
alter table found_fault add column refused integer not null default 0;
