-- What the administrators' list of accounts reads, newest first, where it asks for one condition: none of them has
-- to look at accounts that are not in it.

create index account_signup on account (signup, id) where signup <> 'complete';
create index account_unverified on account (id) where signup = 'complete' and email_verified_at is null;
create index account_disabled on account (id) where is_disabled;
create index account_expiring on account (id) where expires_at is not null;
create index account_new_password on account (id) where new_password_required;
create index account_two_factor_required on account (id) where two_factor_required;
create index two_factor_enabled on two_factor (account_id) where enabled_at is not null;
