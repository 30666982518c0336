-- Statistics.

-- How often things happened in each hour (docs/statistics.md). Not exact: the records are the audit and the history of
-- sessions.
create table activity (
  at timestamptz not null,
  kind text not null,
  count bigint not null check (count >= 0),
  primary key (at, kind)
);
