-- What happened in the last month: sessions, mails, changes and statistics.

-- The current session of everybody who was here lately, and up to four earlier ones of everybody.
insert into user_session (id, account_id, status, is_exclusive, version, refresh_current, refresh_next, sso_provider,
  device_name, user_agent, ip_address, content_definition_id, created_at, last_seen_at, last_pinged_at, expires_at, ended_at,
  end_reason, password_version)
with logins as (
  select p.*, earlier, random() as luck, pg_temp.whole(1, 6) as device,
    last_login_at - make_interval(hours => case earlier when 0 then 0 else pg_temp.whole(1, 240) end) as at,
    case when earlier = 0 and condition = 'fine' and last_login_at > pg_temp.ago('2 days') then null else
      pg_temp.pick(array['expired', 'expired', 'expired', 'expired', 'logout', 'logout', 'logout', 'replaced', 'replaced',
        'administrator']) end as reason
  from people as p, lateral generate_series(0, number % 5) as earlier
  where last_login_at is not null
), seen as (
  select *, case
    when reason is not null then least(at + make_interval(mins => pg_temp.whole(3, 300)), pg_temp.ago('1 minute'))
    when luck < 0.4 then pg_temp.ago('0')
    else greatest(at, pg_temp.ago(make_interval(mins => pg_temp.whole(2, 80)))) end as seen_at
  from logins
  where earlier = 0 or at > greatest(created_at, pg_temp.ago('30 days'))
)
select pg_temp.id_at(at), id, case reason
    when 'replaced' then 3 when 'administrator' then 4 when 'expired' then 7 when 'logout' then 7
    else case when role = 'Guest' then 5 when luck > 0.92 then 2 else 1 end end,
  true, case when reason is null then 1 else 2 end, pg_temp.bytes(), pg_temp.bytes(),
  case when has_sign_on and random() < 0.7 then 'demo' end, device_name, user_agent, pg_temp.address(),
  case when reason is null and random() < 0.5
    then pg_temp.pick((select array_agg(c.id order by place) from contents as c where kind = 'LiveChannel')) end,
  at, seen_at, seen_at, at + interval '30 days',
  case reason when 'expired' then least(seen_at + interval '2 hours', pg_temp.ago('0')) else
    case when reason is not null then seen_at end end,
  reason, 0
from seen join (values
  (1, null, 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'),
  (2, null, 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0'),
  (3, 'Pixel 9', 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36'),
  (4, 'iPhone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1'),
  (5, 'Living room', 'Mozilla/5.0 (SMART-TV; Linux; Tizen 8.0) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/7.0 TV Safari/537.36'),
  (6, 'Command line', 'curl/8.14.1')
) as devices (device, device_name, user_agent) using (device)
order by number, earlier;

insert into session_event (session_id, account_id, status, changed_at, changed_by, reason, token_expires_at)
select s.id, account_id, event.status, at, by, reason, at
from user_session as s, people as admin, lateral (values
  (case when s.status = 5 then 5 else 1 end, s.created_at, null, 'login'),
  (s.status, coalesce(ended_at, last_seen_at), case when s.status in (2, 4) then admin.id end,
    case when s.status in (2, 4) then 'Asked for by its owner' else end_reason end)
) as event (status, at, by, reason)
where number = 1 and reason is not null
order by at, s.id;

insert into mail_delivery (id, kind, account_id, email, event, status, tries, next_try_at, created_at, sent_at, trace_id)
select id, kind, account_id, email, jsonb_build_object('specversion', '1.0', 'id', id, 'source', '/gatehouse', 'type', type,
    'time', at, 'datacontenttype', 'application/json', 'data', data || jsonb_build_object('UserId', account_id)),
  'Sent', 1, null, at, at + make_interval(secs => pg_temp.whole(1, 9)), md5(random()::text)
from (
  select mail_event_id, 'invitation', account_id, invited_email, 'guest.invited', invited_at,
    jsonb_build_object('InvitationId', id, 'ContentDefinitionId', content_definition_id)
  from invitation
  union all
  select pg_temp.id_at(created_at), 'verification-code', id, email, 'account.verification-requested', created_at, '{}'
  from people where role = 'User'
  union all
  select pg_temp.id_at(s.created_at), 'new-device', p.id, email, 'session.new-device', s.created_at,
    jsonb_build_object('SessionId', s.id)
  from people as p join user_session as s on s.account_id = p.id and s.created_at = last_login_at
  where number % 3 = 0
) as mail (id, kind, account_id, email, type, at, data)
where at > pg_temp.ago('30 days');

-- A webhook that its receiver has ended, so that nothing is sent to it, with what it was sent before.
with webhook as (
  insert into webhook (id, name, url, types, secret, is_enabled, disabled_reason, disabled_at, failing_since, created_at)
  select pg_temp.id_at(pg_temp.ago('30 days')), 'Billing', 'https://billing.demo.example/gatehouse', '{session.*}', '', false,
    'Gone', pg_temp.ago('1 hour'), pg_temp.ago('3 hours'), pg_temp.ago('30 days')
  returning id
)
insert into hook_delivery (id, webhook_id, event_id, type, body, status, tries, last_error, next_try_at, created_at, sent_at,
  parked_at, status_code, duration_ms, trace_id)
select pg_temp.id_at(at), webhook.id, event_id, 'session.ended', json_build_object('specversion', '1.0', 'id', event_id,
    'source', '/gatehouse', 'type', 'session.ended', 'time', at, 'data', json_build_object('SessionId', session_id))::text,
  case when is_new then 'Parked' else 'Sent' end, case when is_new then 5 else 1 end, case when is_new then 'gone' end, null, at,
  case when not is_new then at + interval '1 second' end, case when is_new then pg_temp.ago('1 hour') end,
  case when is_new then 410 else 204 end, pg_temp.whole(20, 400), md5(random()::text)
from webhook, lateral (
  select id as session_id, ended_at as at, pg_temp.id_at(ended_at) as event_id, ended_at > pg_temp.ago('3 hours') as is_new
  from user_session
  where ended_at > pg_temp.ago('7 days')
  order by ended_at desc
  limit 60
) as ended;

insert into audit (id, at, action, actor_kind, actor_id, target_kind, target_id, ip_address, trace_id, details)
select pg_temp.id_at(at), at, action, case when actor_id is null then 'System' else 'Account' end, actor_id, target_kind,
  target_id, pg_temp.address(), md5(random()::text), details
from (
  select pg_temp.ago(random() * interval '30 days') as at, pg_temp.whole(1, 14) as which, pg_temp.whole(1, 3) as admin,
    pg_temp.whole(4, 349) as person, pg_temp.whole(0, 13) as place, pg_temp.whole(1, 200) as session
  from generate_series(1, 260)
) as drawn
join contents as c using (place)
join people as p on p.number = person
join people as a on a.number = admin
join (select row_number() over (order by id) as session, id, account_id from user_session) as s using (session),
lateral (values
  (1, 'account.registered', null, 'Account', p.id, '{}'::jsonb),
  (2, 'account.verified', p.id, 'Account', p.id, '{}'),
  (3, 'account.created', a.id, 'Account', p.id, '{"Role": "User", "LoginStatus": 5}'),
  (4, 'account.changed', a.id, 'Account', p.id, '{"IsDisabled": true, "Reason": "Left the company"}'),
  (5, 'account.changed', a.id, 'Account', p.id, jsonb_build_object('ExpiresAt', pg_temp.ago('-30 days'))),
  (6, 'account.unlocked', a.id, 'Account', p.id, jsonb_build_object('Failures', pg_temp.whole(10, 30))),
  (7, 'account.reset-started', a.id, 'Account', p.id, '{}'),
  (8, 'password.changed', p.id, 'Account', p.id, '{}'),
  (9, 'password.reset', p.id, 'Account', p.id, '{}'),
  (10, 'profile.changed', p.id, 'Account', p.id, '{"Changed": ["Locale"]}'),
  (11, 'two-factor.enabled', p.id, 'Account', p.id, '{}'),
  (12, 'user.invited', owner_id, 'Account', p.id, jsonb_build_object('ContentDefinitionId', c.id, 'Result', 'Invited')),
  (13, 'user-session.changed', a.id, 'UserSession', s.id,
    jsonb_build_object('UserId', s.account_id, 'Status', 4, 'Reason', 'Asked for by its owner')),
  (14, 'content.changed', a.id, 'ContentDefinition', c.id,
    jsonb_build_object('Changed', array['Name'], 'Kind', c.kind, 'OwnerId', owner_id))
) as told (which_told, action, actor_id, target_kind, target_id, details)
where which_told = which
order by at;

-- The sign-ins that opened the sessions, some after a wrong password.
insert into sign_in (id, at, account_id, method, provider, result, reason, ip_address, user_agent, count)
select pg_temp.id_at(at), at, account_id, case when sso_provider is null then 'Password' else 'SignOn' end, sso_provider,
  case when is_refused then 'Refused' else 'Succeeded' end, case when is_refused then 'password' end, ip_address,
  user_agent, 1
from (
  select s.*, row_number() over (order by id) as place from user_session as s
) as opened,
lateral (values (created_at, false), (created_at - interval '1 minute', true)) as tried (at, is_refused)
where not is_refused or (sso_provider is null and place % 5 = 0);

-- Busy by day, quiet at night and on weekends, with one evening of password guessing.
insert into activity (at, kind, count)
select at, kind, count
from generate_series(date_trunc('hour', pg_temp.ago('30 days')), pg_temp.ago('0'), interval '1 hour') as at,
  lateral (select at at time zone 'UTC', at between pg_temp.ago('79 hours') and pg_temp.ago('76 hours')) as hour (utc, is_attack),
  -- Roughly how often each kind happens in an hour of a working day.
  (values
    ('login.password', 34), ('login.sso.demo', 13), ('refused.password', 6), ('refused.second-factor', 1.2),
    ('refused.throttled', 0.6), ('refused.account_disabled', 0.7), ('refused.email_confirmation_pending', 0.5),
    ('registration', 2.4), ('verification', 2), ('reset', 0.8), ('session.logout', 14), ('session.expired', 18),
    ('session.replaced', 9), ('session.administrator', 0.4), ('invitation.sent', 2.2), ('invitation.accepted', 1.5),
    ('mail.sent', 8), ('mail.parked', 0.15), ('refresh', 60)
  ) as kinds (kind, hourly),
  lateral (select floor(random() * 0.9 + hourly * (0.6 + random() * 0.8)
    * greatest(0.05, sin((extract(hour from utc) - 5) / 15.0 * pi()))
    * case when extract(isodow from utc) > 5 then 0.35 else 1 end
    * case when is_attack and kind in ('refused.password', 'refused.throttled') then 30 else 1 end)) as drawn (count)
where count > 0;
