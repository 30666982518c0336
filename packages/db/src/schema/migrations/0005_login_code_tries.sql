-- Wrong tries at a mailed login code count for the request whose secret was shown, which only one browser has.
alter table login_code_request add tries_left smallint not null default 5;

-- Version 1.0 still counts them for the code as well.
alter table login_code alter tries_left set default 500;

-- Whether it was asked for from an address that the account was used from. Other requests never share such a code.
alter table login_code add is_known boolean not null default true;
