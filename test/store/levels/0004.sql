-- Rows as version 0.1.0 wrote them at schema level 4. Frozen: what stores hold does not change any more.

insert into trap_rule_hit (rule_id, hits, last_hit) values (2, 1, 1794720997909);
