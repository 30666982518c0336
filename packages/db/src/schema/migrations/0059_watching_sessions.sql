-- Who watches something now, in the order of the list of sessions: of all sessions that ever did (0008), most have ended.
create index user_session_watching on user_session (content_definition_id, id)
  where content_definition_id is not null and ended_at is null;
