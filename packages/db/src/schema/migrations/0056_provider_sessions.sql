-- The session at the identity provider that a sign-on belongs to (its ID token's sid), by which the provider logs it out.
alter table user_session add column sso_sid text;
create index user_session_sso_sid on user_session (sso_provider, sso_sid) where sso_sid is not null and ended_at is null;
