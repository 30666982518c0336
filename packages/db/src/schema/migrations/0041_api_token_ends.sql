-- Static API tokens may end, be bound to networks, and be replaced by another while both work. A process of the release
-- before takes such a token whenever and from wherever it comes.
alter table api_token
  add column expires_at timestamptz,
  -- CIDR ranges; null: from anywhere.
  add column networks text[],
  add column last_used_ip inet,
  -- The token that was made in its place.
  add column replaced_by uuid;
