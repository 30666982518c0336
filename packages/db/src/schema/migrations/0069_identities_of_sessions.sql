-- The identity that opened a session, as a digest of its issuer and subject: the identity provider can also log out a
-- session that was kept when its identity was unlinked. Null for passwords, and for sign-ons of earlier releases.
alter table user_session add column sso_identity_digest bytea;
create index user_session_sso_identity on user_session (sso_identity_digest)
  where sso_identity_digest is not null and ended_at is null;
