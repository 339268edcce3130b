-- beside: 0.2.0
-- Nothing stays in here: on PostgreSQL a row is written and rolled back every two seconds, to find out whether there is
-- room for new data.

create table probe (
  filler text not null
);
