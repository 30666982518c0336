-- The recorded request that asked for a mail, so that the mail is part of the same trace (docs/operations.md#traces).
alter table reset_request add column traceparent text;
alter table invitation_request add column traceparent text;
