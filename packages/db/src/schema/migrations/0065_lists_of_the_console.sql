-- What bars of the console's charts and trace ids lead to: mails by when they were sent or parked, and by their request.
alter table mail_delivery add column parked_at timestamptz;
create index mail_delivery_finished on mail_delivery (coalesce(sent_at, parked_at))
  where coalesce(sent_at, parked_at) is not null;
create index mail_delivery_trace on mail_delivery (trace_id, id desc) where trace_id is not null;
