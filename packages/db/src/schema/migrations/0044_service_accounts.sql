-- Accounts of programs: users whose sessions live side by side, whom nothing is mailed and of whom no second factor is
-- required. The release before knows none of this: during an upgrade its logins still replace each other.
alter table account
  add column is_service boolean not null default false,
  add constraint account_service check (not is_service or (role = 'User' and not two_factor_required));
create index account_service on account (id) where is_service;
