-- The highest cost among all hashes, which each failed login asks for, is found without reading every account.
create index account_password_cost on account (substr(password_hash, 5, 2)) where password_hash is not null;
