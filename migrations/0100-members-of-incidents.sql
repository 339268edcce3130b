-- beside: 0.2.0
-- How each alarm of an incident stands: a storm goes on until nobody has to be called for any of them.

alter table notify_member add column state text not null default 'open';
alter table notify_member add column alarm_level integer not null default 5;
create index notify_member_state on notify_member (incident_id, state);
create index notify_member_level on notify_member (incident_id, alarm_level, alarm_id);

-- Channels through which a message was given up, until the alarm about it is raised.

create table notify_failure (
  channel_id bigint primary key,
  reason text not null,
  failed_at bigint not null
);
