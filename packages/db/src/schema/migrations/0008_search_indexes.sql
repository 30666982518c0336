-- Not in a transaction: everybody goes on writing while an index is built.
-- Names and addresses are found by their letters without case, accents and invisible marks (searchKey in
-- search/filters.ts has the same expression). Functions of Postgres alone: the roles of version 1.0 may call no new
-- function of ours, and the dictionary of an extension may change, which makes an index wrong. How a character
-- decomposes never changes (UAX 15, 3.3).
-- Version 1.0 searches by the indexes account_search and content_definition_search.
--
-- What an attempt left behind that was cut off goes first.
drop index concurrently if exists account_search_key;

drop index concurrently if exists content_definition_search_key;

create index concurrently account_search_key on account using gin ((
replace(replace(replace(translate(lower(regexp_replace(normalize(email || ' ' || coalesce(display_name, ''), nfkd),
  '[\u00ad\u0300-\u036f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]', '', 'g')),
  'øłđħŧıς', 'oldhtiσ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe')
) gin_trgm_ops);

create index concurrently content_definition_search_key on content_definition using gin ((
replace(replace(replace(translate(lower(regexp_replace(normalize(name, nfkd),
  '[\u00ad\u0300-\u036f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]', '', 'g')),
  'øłđħŧıς', 'oldhtiσ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe')
) gin_trgm_ops);
