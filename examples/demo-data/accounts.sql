-- Who and what the invented installation has. The same values come from the same seed; dates are relative to demo.now.
select setseed(0.5);

create function pg_temp.ago(age interval) returns timestamptz language sql volatile as
  $$ select current_setting('demo.now')::timestamptz - age $$;

create function pg_temp.pick(list anyarray) returns anyelement language sql volatile as
  $$ select list[1 + floor(random() * cardinality(list))] $$;

create function pg_temp.whole(low int, high int) returns int language sql volatile as
  $$ select low + floor(random() * (high - low + 1))::int $$;

create function pg_temp.bytes() returns bytea language sql volatile as
  $$ select decode(md5(random()::text) || md5(random()::text), 'hex') $$;

-- Of the networks reserved for documentation (RFC 5737, RFC 3849).
create function pg_temp.address() returns inet language sql volatile as
  $$ select (pg_temp.pick(array['192.0.2.', '198.51.100.', '203.0.113.', '2001:db8::']) || pg_temp.whole(1, 254))::inet $$;

-- A UUID version 7 with this time.
create function pg_temp.id_at(at timestamptz) returns uuid language sql volatile as $$
  select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || left(md5(random()::text), 3)
    || 'a' || left(md5(random()::text), 15))::uuid
$$;

-- 3 administrators, 262 users and 84 guests, with names from many countries.
create temp table people on commit drop as
with names as (
  select
    string_to_array('Ada Amara Anders Anjali Bruno Carla Chidi Clara Daniel Elif Elena Emil Farah Felix Fiona Greta '
      || 'Hanna Hiro Ida Ines Jonas Julia Kaito Karim Lea Lina Luca Malik Marta Mei Milan Nadia Nils Noor Olga Omar '
      || 'Paula Pavel Priya Rafael Rosa Samir Sofia Tariq Thea Viktor Yara Zoe', ' ') as firsts,
    string_to_array('Abbasi Andersson Bauer Becker Bianchi Costa Dubois Eriksen Fischer Garcia Haddad Horvat Ito '
      || 'Jansen Kaya Keller Kim Kowalska Krüger Lefèvre Lindqvist Marino Meyer Moreau Nakamura Novák Nwosu Okafor '
      || 'Olsen Papadakis Patel Petrov Ramos Rossi Santos Sato Schmidt Silva Singh Sørensen Tanaka Torres Vogel '
      || 'Weber Wójcik Yilmaz Zhang Zimmermann', ' ') as lasts
), roles as (
  select number,
    case when number <= 3 then (array['Admin Lindqvist', 'Admin Okafor', 'Admin Sato'])[number]
      else firsts[number % 48 + 1] || ' ' || lasts[(number * 7 + number / 48) % 48 + 1] end as name,
    case when number <= 3 then 'Admin' when number <= 265 then 'User' else 'Guest' end as role,
    case
      when number <= 3 then 'fine'
      when number > 265 then case when number % 3 = 0 then 'invited' else 'fine' end
      when number % 25 = 0 then 'disabled'
      when number % 17 = 1 then 'unverified'
      when number % 20 = 7 then 'migration'
      when number % 33 = 3 then 'new-password'
      when number % 33 = 9 then 'expired'
      else 'fine' end as condition
  from names, generate_series(1, 349) as number
), dated as (
  -- Invitations expire, and accounts that nobody has verified are erased, so that both are recent.
  select *, condition not in ('unverified', 'migration', 'invited') as has_logged_in,
    pg_temp.ago(make_interval(days => case
      when condition in ('invited', 'unverified') then pg_temp.whole(1, 12)
      else pg_temp.whole(3, case role when 'Guest' then 90 else 400 end) end, mins => pg_temp.whole(0, 1439))) as created_at
  from roles
)
select *, pg_temp.id_at(created_at) as id,
  translate(lower(replace(name, ' ', '.')), 'üèáøó', 'ueaoo') || '@demo.example' as email,
  case when random() < 0.35 then 'de' else 'en' end as locale,
  -- Most people log in often; a few have not logged in for months.
  case when has_logged_in then greatest(created_at, pg_temp.ago(make_interval(mins => pg_temp.whole(2, 90),
    secs => 86400 * case when random() < 0.85 then power(random(), 3) * 20 else 120 end))) end as last_login_at,
  case role when 'Admin' then number < 3 else has_logged_in and random() < 0.2 end as has_two_factor,
  role = 'User' and has_logged_in and random() < 0.25 as has_sign_on
from dated
order by number;

insert into account (id, email, email_key, display_name, locale, role, signup, password_hash, password_scheme,
  email_verified_at, is_disabled, expires_at, new_password_required, created_at, last_login_at)
select id, email, email, name, locale, role,
  case condition when 'migration' then 'migration' when 'invited' then 'invitation' else 'complete' end,
  case when has_password then current_setting('demo.password_hash') end, case when has_password then 'peppered' end,
  case when has_password and condition <> 'unverified' then created_at end, condition = 'disabled',
  case when condition = 'expired' then pg_temp.ago('2 days') end, condition = 'new-password', created_at, last_login_at
from people, lateral (select condition not in ('migration', 'invited')) as password (has_password);

insert into recovery_code (account_id, code_hash, used_at)
select id, pg_temp.bytes(), case when code <= number % 4 then pg_temp.ago(make_interval(days => code)) end
from people, generate_series(1, 10) as code
where has_two_factor;

-- With the subject that the demo identity provider assigns to an email.
insert into sso_identity (issuer, subject, account_id, provider, linked_at)
select current_setting('demo.issuer'), translate(encode(email::bytea, 'base64'), E'+/=\n', '-_'), id, 'demo', created_at
from people
where has_sign_on;

create temp table contents on commit drop as
select place, name, kind, owner_id, created_at, pg_temp.id_at(created_at) as id
from (
  select place, content.name, kind, id as owner_id,
    pg_temp.ago(make_interval(days => 40 - place, hours => pg_temp.whole(0, 20))) as created_at
  from (values
    (0, 'LiveChannel', 'All Hands'), (1, 'LiveChannel', 'Product Week: Main Stage'),
    (2, 'LiveChannel', 'Product Week: Workshop Room'), (3, 'LiveChannel', 'Town Hall Berlin'),
    (4, 'LiveChannel', 'Sales Kick-off'), (5, 'Recording', 'Annual Meeting 2025'),
    (6, 'Recording', 'Onboarding, Part 1'), (7, 'Recording', 'Onboarding, Part 2'), (8, 'Recording', 'Security Basics'),
    (9, 'Recording', 'Designing for Everybody'), (10, 'Document', 'Travel Guidelines'), (11, 'Document', 'Brand Book'),
    (12, 'Document', 'Annual Report 2025'), (13, 'Document', 'Price List')
  ) as content (place, kind, name)
  -- Six users own everything: numbers 10 to 15, whose condition is fine.
  join people on number = 10 + place % 6
) as dated
order by place;

insert into content_definition (id, name, kind, owner_id, created_at, updated_at)
select id, name, kind, owner_id, created_at, created_at from contents;

-- Guests are invited when their account is created. They accept soon after, or the invitation stays pending.
insert into invitation (id, account_id, content_definition_id, token_hash, invited_by, invited_at, expires_at, accepted_at,
  mail_event_id, invited_email)
select pg_temp.id_at(p.created_at), p.id, c.id, pg_temp.bytes(), owner_id, p.created_at, p.created_at + interval '7 days',
  case when condition = 'fine' then p.created_at + make_interval(mins => pg_temp.whole(5, 600)) end,
  pg_temp.id_at(p.created_at), email
from people as p join contents as c on place = number % 14 or (number % 5 < 2 and place = (number + 5) % 14)
where role = 'Guest';

insert into content_access (content_definition_id, account_id, granted_by, granted_at, invited_email)
select content_definition_id, account_id, invited_by, invited_at, invited_email from invitation where accepted_at is not null
union all
select c.id, p.id, owner_id, pg_temp.ago(make_interval(days => pg_temp.whole(0, 20))), email
from people as p join contents as c on place = number % 14
where role = 'User' and condition = 'fine' and number between 40 and 150;

insert into api_token (id, name, prefix, token_hash, role, created_at, created_by, last_used_at, last_used_ip, expires_at,
  revoked_at, networks)
select pg_temp.id_at(pg_temp.ago(age)), token.name, 'sat_' || left(md5(random()::text), 8), pg_temp.bytes(), token.role,
  pg_temp.ago(age), people.id, pg_temp.ago(used), ip::inet, pg_temp.ago(expired), pg_temp.ago(revoked), networks
from people, (values
  ('Billing', 'Service', interval '310 days', interval '19 days', '198.51.100.7', interval '19 days', null::interval, null::text[]),
  ('Import of the old system', 'Admin', '200 days', '170 days', '203.0.113.80', null, '169 days', null),
  ('Recognition pipeline', 'Service', '140 days', '12 minutes', '192.0.2.41', null, null, '{192.0.2.0/24,2001:db8:7::/48}'),
  ('Monitoring', 'Service', '95 days', '1 minute', '198.51.100.7', '-12 days', null, null),
  ('Reports', 'Service', '60 days', null, null, null, null, null),
  ('Shop API', 'Feed', '45 days', '31 minutes', '198.51.100.7', null, null, null),
  ('Billing', 'Service', '20 days', '8 minutes', '198.51.100.7', null, null, null)
) as token (name, role, age, used, ip, expired, revoked, networks)
where number = 1;

update api_token as old set replaced_by = new.id
from api_token as new
where old.name = 'Billing' and old.expires_at is not null and new.name = 'Billing' and new.expires_at is null;

-- People who must wait because they typed too many wrong passwords.
insert into login_throttle (email_key, failures, blocked_until, admitted)
select format('["email","%s"]', email), pg_temp.whole(11, 16),
  pg_temp.ago(make_interval(mins => -pg_temp.whole(20, 55))), false
from people
where number between 31 and 34;
