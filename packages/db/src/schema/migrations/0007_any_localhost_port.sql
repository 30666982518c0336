-- A public client may listen on any port of `localhost`, as it may of the loopback addresses. Clients from before: as they were.
alter table oauth_client add column any_localhost_port boolean not null default false;
