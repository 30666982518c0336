-- When the owner of a browser's session last proved who they are, which dangerous actions ask for.
alter table user_session add column confirmed_at timestamptz;
