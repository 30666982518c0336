-- What the export of an account contains, for services that may not read these tables otherwise: rows of one account,
-- newest first, up to one more than an export has.

create function exported_audit(account_id uuid, rows_max integer)
  returns table (at timestamptz, action text, is_own boolean, target_kind text, target_id uuid, ip_address text, details jsonb)
  language sql stable security definer set search_path = pg_catalog as $$
  select e.at, e.action, e.actor_id is not distinct from $1, e.target_kind, e.target_id,
    case when e.actor_id = $1 then host(e.ip_address) end, e.details
  from (
    (select * from public.audit a where a.actor_id = $1 order by a.id desc limit least($2, 10001))
    union
    (select * from public.audit a where a.target_id = $1 order by a.id desc limit least($2, 10001))
    union
    (select * from public.audit a
     where a.target_kind <> 'Account'
       and case when a.action = 'session.ended' then a.actor_id::text else a.details ->> 'UserId' end = $1::text
     order by a.id desc limit least($2, 10001))
  ) e
  order by e.id desc
  limit least($2, 10001)
$$;

create function exported_mails(account_id uuid, rows_max integer)
  returns table (kind text, email text, status text, created_at timestamptz, sent_at timestamptz)
  language sql stable security definer set search_path = pg_catalog as $$
  select d.kind, d.email, d.status, d.created_at, d.sent_at
  from public.mail_delivery d
  where d.account_id = $1
  order by d.id desc
  limit least($2, 10001)
$$;

create function exported_session_events(account_id uuid, rows_max integer)
  returns table (session_id uuid, status smallint, changed_at timestamptz, is_own boolean, reason text)
  language sql stable security definer set search_path = pg_catalog as $$
  select e.session_id, e.status, e.changed_at, e.changed_by is not distinct from $1, e.reason
  from public.session_event e
  where e.account_id = $1
  order by e.seq desc
  limit least($2, 10001)
$$;

create function exported_face_reviews(account_id uuid, rows_max integer)
  returns table (face_id uuid, person_id uuid, type smallint, reason text, decided_at timestamptz)
  language sql stable security definer set search_path = pg_catalog as $$
  select r.face_id, r.person_id, r.type, r.reason, r.decided_at
  from public.face_review r
  where r.decided_by = $1
  order by r.id desc
  limit least($2, 10001)
$$;

create function exported_identities(account_id uuid, rows_max integer)
  returns table (provider text, issuer text, subject text, linked_at timestamptz)
  language sql stable security definer set search_path = pg_catalog as $$
  select i.provider, i.issuer, i.subject, i.linked_at
  from public.sso_identity i
  where i.account_id = $1
  order by i.linked_at desc
  limit least($2, 10001)
$$;
