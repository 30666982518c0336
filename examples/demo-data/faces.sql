-- Recognised persons, and faces that wait for a review.

create temp table recognised on commit drop as
select number, pg_temp.id_at(created_at) as id, name, created_at
from (
  select number - 10 as number, name, pg_temp.ago(make_interval(days => pg_temp.whole(20, 200))) as created_at
  from people where number between 10 and 33
) as persons
order by number;

create temp table faces on commit drop as
with drawn as (
  select recognised.id as person_id, number, picture, pg_temp.pick(array[1, 1, 1, 2, 2, 2, 2, 3, 4, 5]) as type,
    pg_temp.ago(make_interval(mins => pg_temp.whole(60, 19 * 24 * 60))) as at, random() as luck
  -- The first three persons have enough faces for several pages.
  from recognised, generate_series(1, case when number < 3 then 90 else 8 + number * 17 % 32 end) as picture
)
select *, pg_temp.id_at(at) as id, type = 5 as is_blurry,
  -- A probable match sometimes shows another person: this is why people review them.
  case when type = 3 or (type = 2 and luck < 0.25) then (number + pg_temp.whole(1, 23)) % 24 else number end as shown,
  case when type in (3, 4) then least(at + make_interval(mins => pg_temp.whole(10, 600)), pg_temp.ago('0')) end as decided_at,
  case when type in (3, 4) then (select admin.id from people as admin where admin.number = 1) end as decided_by
from drawn
order by number, picture;

insert into person (id, name, name_key, notes, external_id, created_at, updated_at, automatch, probable_match, not_match,
  confirmed_match, blurry)
select r.id, name, lower(name), case when number % 5 = 0 then 'Speaks at the annual meeting' end,
  case when number % 3 = 0 then 'hr-' || 1000 + number end, created_at, created_at, automatch, probable, other, confirmed, blurry
from recognised as r, lateral (
  select count(*) filter (where type = 1), count(*) filter (where type = 2), count(*) filter (where type = 3),
    count(*) filter (where type = 4), count(*) filter (where type = 5)
  from faces where person_id = r.id
) as counted (automatch, probable, other, confirmed, blurry);

insert into face (id, source_id, sharpness, image_url, bounding_box, captured_at, created_at)
select id, format('demo camera %s, person %s, face %s', 1 + picture % 4, number, picture),
  case when is_blurry then 0.05 + random() * 0.2 else 0.6 + random() * 0.4 end,
  format('%s/%s-%s%s.svg', current_setting('demo.faces_url'), shown, picture, case when is_blurry then '-blurry' end),
  '{"Left": 0.2, "Top": 0.1, "Width": 0.6, "Height": 0.75}', at, at
from faces;

insert into face_match (face_id, person_id, type, similarity, decided_by, decided_at)
select id, person_id, type, case type when 1 then 0.92 + random() * 0.07 else 0.71 + random() * 0.16 end, decided_by, decided_at
from faces;

insert into face_review (id, face_id, person_id, previous_type, type, decided_by, decided_at)
select pg_temp.id_at(decided_at), id, person_id, 2, type, decided_by, decided_at
from faces
where decided_at is not null;
