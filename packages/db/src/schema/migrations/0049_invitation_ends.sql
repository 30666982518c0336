-- Pending invitations by the end of their links: of very many, few have not expired, or few have.
create index invitation_pending_end on invitation (expires_at) where accepted_at is null and deleted_at is null;
