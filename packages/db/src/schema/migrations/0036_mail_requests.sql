-- Which mail was asked for. A process of the release before answers every request with a code for a new password,
-- which verifies the email as well.
alter table reset_request add column purpose text not null default 'reset';
