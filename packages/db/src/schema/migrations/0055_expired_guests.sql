-- Guests without content, in the order in which they are erased.
create index account_content_expired on account (content_expired_at) where content_expired_at is not null;
