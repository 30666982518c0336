-- Lists of mails and of pending invitations for administrators, and mails that an operator has sent again.

-- `tries` goes on counting over an operator's retry, as it tells a worker's hold from earlier ones; how long to go
-- on is judged by the tries and the time since then.
alter table mail_delivery
  add column tries_forgiven integer not null default 0,
  add column retried_at timestamptz;

-- Identifiers are of version 7, in the order of time.
create index mail_delivery_status on mail_delivery (status, id desc);
create index mail_delivery_email on mail_delivery (lower(email), id desc);

create index invitation_pending on invitation (id desc)
  where accepted_at is null and deleted_at is null;
create index invitation_pending_content on invitation (content_definition_id, id desc)
  where accepted_at is null and deleted_at is null;
