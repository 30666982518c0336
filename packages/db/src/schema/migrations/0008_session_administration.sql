-- What the administrators' list of sessions reads, newest first, from any point on: an index for each filter, whose
-- second column is the list's order. Without a filter it is the primary key.

create index user_session_status on user_session (status, id);
create index user_session_of_account on user_session (account_id, id);
create index user_session_content on user_session (content_definition_id, id)
  where content_definition_id is not null;
-- Who is online: few of all sessions, and not in the list's order.
create index user_session_pinged on user_session (last_pinged_at) where ended_at is null;
