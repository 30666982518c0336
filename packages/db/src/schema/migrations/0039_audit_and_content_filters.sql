-- Administrators ask the audit by the kind of who made a change, by the trace of a request, and by its address.
create index audit_actor_kind on audit (actor_kind, id desc);
create index audit_trace on audit (trace_id, id desc) where trace_id is not null;
create index audit_address on audit (ip_address, id desc) where ip_address is not null;

-- And content by its name.
create index content_definition_search on content_definition using gin (lower(name) gin_trgm_ops);

-- And pending invitations by whoever sent them.
create index invitation_pending_inviter on invitation (invited_by, id desc)
  where accepted_at is null and deleted_at is null and invited_by is not null;
