-- The account's password that a session stands on. Null: the session may not become active again once it has ended, as a
-- copy of its refresh token was used, or as it ended before this column.
alter table user_session add column password_version integer;
update user_session s set password_version = a.password_version
from account a where a.id = s.account_id and s.ended_at is null;

-- What was done to somebody's sessions, invitations and mails is found by the account that they belong to.
create index audit_owner
  on audit ((case when action = 'session.ended' then actor_id::text else details ->> 'UserId' end), id desc)
  where target_kind <> 'Account';
