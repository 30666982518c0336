-- How often things happened, hour by hour (docs/statistics.md). A gauge: the books are the audit and the history of sessions.
create table activity (
  at timestamptz not null,
  kind text not null,
  count bigint not null check (count >= 0),
  primary key (at, kind)
);
