-- How often each trap rule has filtered, and when last.

create table trap_rule_hit (
  rule_id bigint primary key,
  hits bigint not null,
  last_hit bigint not null
);
