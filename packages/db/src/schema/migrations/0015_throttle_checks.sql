-- Each check under way that is counted in login_throttle expires by itself, should its process die.

-- When each of them began. `checking` and `checking_since` stay for processes of the version before.
alter table login_throttle add column checks timestamptz[] not null default '{}';

comment on column login_throttle.email_key is
  'What failures are counted by, as JSON: a kind, whom it concerns, and an address where that is counted apart';
