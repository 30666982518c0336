-- From where a mail was asked for (an address, or the /64 of an IPv6 address), as long as the request waits: addresses that
-- the account was used from have a share of the mails of their own. Null: unknown, or asked for at an earlier release.
alter table reset_request add column address_group text;
alter table invitation_request add column address_group text;
