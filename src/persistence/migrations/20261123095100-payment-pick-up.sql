-- What a sweep of payments has found overdue, and asked a run to make up for: so that several processes share the work, and
-- what does not get on is asked for later each time. Rows go a day after their last try. No foreign key: it would wait for
-- whoever holds the payment, and with it everything else that is overdue would.
create table payment_pick_up (
  project_id text not null,
  sandbox boolean not null,
  invoice_id text not null,
  -- Since when: the same as long as it is the same thing.
  due_at timestamptz not null,
  tries integer not null,
  next_try_at timestamptz not null,
  primary key (invoice_id, due_at)
);
create index payment_pick_up_age on payment_pick_up (next_try_at);
-- Which notices wait, in the order of their arrival.
create index gateway_notice_waiting on gateway_notice (received_at) where applied_at is null;
