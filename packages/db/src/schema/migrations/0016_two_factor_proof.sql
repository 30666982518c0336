-- A second factor is set up by whoever knows the password, or reads the mails of an account that has none.

-- Of the password that was shown, as in two_factor_challenge: with another one the set-up must begin anew. Null where
-- a process of the version before began it, without asking for any.
alter table two_factor add column password_version integer;

alter table account_code
  drop constraint account_code_purpose_check,
  add constraint account_code_purpose_check
    check (purpose in ('verify', 'reset', 'change-email', 'two-factor'));
