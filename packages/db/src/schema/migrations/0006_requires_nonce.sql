-- A confidential client that needs no PKCE may be exempt from the nonce, too.
alter table oauth_client add column requires_nonce boolean not null default true;
