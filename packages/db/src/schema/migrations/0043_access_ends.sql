-- Access to content may have an end. The release before gives none, and takes access for lasting until this one's sweep
-- has ended it.
alter table content_access add column expires_at timestamptz;
create index content_access_expires on content_access (expires_at) where expires_at is not null;

-- The end of the access that an invitation will give; its link expires then at the latest.
alter table invitation add column access_expires_at timestamptz;
create index invitation_access_expires on invitation (access_expires_at)
  where access_expires_at is not null and accepted_at is null and deleted_at is null;
