-- Persons for facial recognition, and the faces that were reported of them.

create table person (
  id uuid primary key,
  name text not null,
  -- The name in the spelling by which names are compared: NFKC, trimmed, case-folded.
  name_key text not null,
  notes text,
  external_id text,
  -- Raised when the person is edited, but not by their faces. `If-Match` compares it.
  version integer not null default 1,
  -- The number of faces of each type, updated in the transaction that changes the faces.
  automatch integer not null default 0,
  probable_match integer not null default 0,
  not_match integer not null default 0,
  confirmed_match integer not null default 0,
  blurry integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint person_name_key unique (name_key),
  constraint person_counts
    check (automatch >= 0 and probable_match >= 0 and not_match >= 0 and confirmed_match >= 0 and blurry >= 0)
) with (fillfactor = 70); -- With free space in the page, changing the counts updates no index.
create index person_search on person using gin (name_key gin_trgm_ops);

create table face (
  id uuid primary key,
  -- The face's id in the recognition pipeline. If it is reported again, it is the same face.
  source_id text not null,
  sharpness double precision,
  image_url text,
  bounding_box jsonb,
  captured_at timestamptz,
  created_at timestamptz not null default now(),
  constraint face_source_id unique (source_id)
);

-- The relation of a face to a person. A refused one (3) stays, so that the same pair is never proposed again.
create table face_match (
  face_id uuid not null references face on delete cascade,
  -- No foreign key: the faces of a deleted person are removed later (person_purge).
  person_id uuid not null,
  type smallint not null check (type between 1 and 5),
  similarity double precision not null,
  -- The account or static token that decided. Null: the service did.
  decided_by uuid,
  decided_at timestamptz,
  reason text,
  primary key (face_id, person_id),
  constraint face_match_decision check ((decided_by is null) = (decided_at is null))
);
create index face_match_listing on face_match (person_id, type, face_id desc);
create unique index face_match_one_confirmed on face_match (face_id) where type = 4;
create index face_match_reason on face_match (decided_by) where reason is not null;

-- The decisions about a face and a person.
create table face_review (
  id uuid primary key,
  face_id uuid not null,
  person_id uuid not null,
  previous_type smallint,
  type smallint not null,
  reason text,
  decided_by uuid not null,
  decided_at timestamptz not null default now(),
  constraint face_review_match foreign key (face_id, person_id) references face_match on delete cascade
);
create index face_review_match on face_review (face_id, person_id);
create index face_review_reason on face_review (decided_by) where reason is not null;

-- Deleted persons whose faces are still being removed.
create table person_purge (
  person_id uuid primary key,
  created_at timestamptz not null default now()
);
