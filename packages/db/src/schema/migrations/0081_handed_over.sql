-- False for codes after a sign-on: that browser's user has just been authenticated. Whoever takes an app's session over has not.
alter table handover_code add column is_handed_over boolean not null default true;
