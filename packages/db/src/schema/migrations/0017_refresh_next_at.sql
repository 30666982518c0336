-- When the next refresh token of a session was first answered with. Null: it was not yet, or by code that does not
-- know this column; each adoption is timed in refresh_overtaken_at as well.
alter table user_session add column refresh_next_at timestamptz;
