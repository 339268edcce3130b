-- beside: 0.2.0
-- The module and revision that a definition was made from, as long as it is as the catalogue of vendors' events has it.

alter table trap_event add column source text;
