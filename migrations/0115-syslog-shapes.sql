-- beside: 0.2.0
-- Shapes of unknown syslog messages that nobody wants to see, and questions of one node to another.

create table muted_shape (
  id bigint primary key,
  origin text,
  shape text not null,
  description text
);

-- A crash of PostgreSQL may empty it: whoever has asked asks again.
-- unlogged
create table node_question (
  id text primary key,
  node text not null,
  start bigint not null,
  asked_at bigint not null,
  question text not null,
  answer text
);
create index node_question_node on node_question (node, start);
