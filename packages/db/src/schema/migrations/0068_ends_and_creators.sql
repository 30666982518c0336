-- Sessions by why they ended, and tokens by who made them, in the order of their lists: some are rare among very many.
create index user_session_end_reason on user_session (end_reason, id) where end_reason is not null;
create index api_token_creator on api_token (created_by, id) where created_by is not null;
