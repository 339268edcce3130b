-- Rows as version 0.1.0 wrote them at schema level 3. Frozen: what stores hold does not change any more.

insert into registration (uuid, owner, query, cursor, position, connected, created_at, last_seen, last_write, expired) values ('old-client', '3698aa9c-b67e-4b16-9cc9-8e1aec1e8378', 'alarmLevel=1%2C2%2C5', 5, 5, 0, 1794720994852, 1794721001943, 1794720998914, 0);
