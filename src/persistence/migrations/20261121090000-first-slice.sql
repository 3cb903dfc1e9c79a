-- Every table below project carries project_id and sandbox, and the foreign keys from one kind of object to another span
-- both, so that one project or environment can never refer to a row of another. The rows of one change are written in
-- one flush, whose order is the ORM's, so the foreign keys between them are checked at the commit.

create table project (
  id text primary key,
  name text not null,
  created_at timestamptz not null
);

create table api_key (
  id text primary key,
  project_id text not null references project (id),
  sandbox boolean not null,
  secret_hash text not null unique,
  revoked_at timestamptz,
  created_at timestamptz not null
);
create index api_key_project on api_key (project_id);

create table gateway_configuration (
  id text primary key,
  project_id text not null references project (id),
  sandbox boolean not null,
  gateway_name text not null,
  name text not null,
  enabled boolean not null,
  default_preferred_scheme text,
  created_at timestamptz not null,
  unique (project_id, sandbox, id),
  constraint simulator_is_sandbox_only check (gateway_name <> 'simulator' or sandbox)
);

create table card (
  id text primary key,
  project_id text not null references project (id),
  sandbox boolean not null,
  scheme text not null,
  co_scheme text,
  preferred_scheme text,
  type text,
  country_code text,
  iin text not null,
  last4_digits text not null,
  fingerprint text not null,
  exp_month integer not null check (exp_month between 1 and 12),
  exp_year integer not null,
  name text,
  checks jsonb,
  metadata jsonb not null,
  number_ciphertext bytea not null,
  number_key_id text not null,
  used_by_invoice_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (project_id, sandbox, id)
);

create table card_security_code (
  card_id text primary key,
  project_id text not null,
  sandbox boolean not null,
  ciphertext bytea not null,
  key_id text not null,
  expires_at timestamptz not null,
  foreign key (project_id, sandbox, card_id) references card (project_id, sandbox, id) on delete cascade
);
create index card_security_code_expiry on card_security_code (expires_at);

create table invoice (
  id text primary key,
  project_id text not null references project (id),
  sandbox boolean not null,
  name text not null,
  order_id text,
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  statement_descriptor text,
  webhook_url text,
  return_url text,
  device_channel text not null,
  merchant_initiator_type text,
  exemption_reason_3ds2 text,
  challenge_indicator text,
  incremental boolean not null,
  bypass_incremental_authorization boolean not null,
  auto_capture_at timestamptz,
  metadata jsonb not null,
  gateway_data jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (project_id, sandbox, id)
);

create table transaction (
  id text primary key,
  project_id text not null,
  sandbox boolean not null,
  invoice_id text not null,
  card_id text,
  gateway_configuration_id text not null,
  gateway_name text not null,
  name text not null,
  currency text not null,
  status text not null,
  amount_minor bigint not null check (amount_minor > 0),
  authorized_minor bigint not null check (authorized_minor >= 0),
  captured_minor bigint not null check (captured_minor >= 0),
  voided_minor bigint not null check (voided_minor >= 0),
  refunded_minor bigint not null check (refunded_minor >= 0),
  incremented_minor bigint not null check (incremented_minor >= 0),
  incremental boolean not null,
  increment_attempts integer not null,
  attempts_count integer not null,
  -- One attempt at a time: the reservation that no second capture, void or increment can pass.
  attempt_in_flight_id text,
  attempt_in_flight_type text,
  constraint attempt_in_flight_has_a_type check ((attempt_in_flight_id is null) = (attempt_in_flight_type is null)),
  expired boolean not null,
  authorized_at timestamptz,
  authorization_expires_at timestamptz,
  auto_capture_at timestamptz,
  auto_capture_amount_minor bigint check (auto_capture_amount_minor > 0),
  captured_at timestamptz,
  voided_at timestamptz,
  error_code text,
  error_message text,
  recommendation_code text,
  scheme_id text,
  initial_scheme_transaction_id text,
  scheme_used text,
  card_checks jsonb,
  gateway_authorization_id text,
  event_count integer not null,
  metadata jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (project_id, sandbox, id),
  unique (project_id, sandbox, invoice_id),
  foreign key (project_id, sandbox, invoice_id) references invoice (project_id, sandbox, id) deferrable initially deferred,
  foreign key (project_id, sandbox, card_id) references card (project_id, sandbox, id) deferrable initially deferred,
  foreign key (project_id, sandbox, gateway_configuration_id) references gateway_configuration (project_id, sandbox, id) deferrable initially deferred,
  constraint never_more_than_authorized check (captured_minor + voided_minor <= authorized_minor),
  constraint never_more_than_captured check (refunded_minor <= captured_minor)
);

-- What the sweep asks every minute: which attempts and which instants have nobody looking after them.
create index transaction_in_flight on transaction (updated_at) where attempt_in_flight_id is not null;
create index transaction_due on transaction (least(auto_capture_at, authorization_expires_at)) where status = 'authorized';

-- Commands whose caller was told that nothing was done; whoever meets one later leaves it alone.
create table withdrawn_command (
  operation_id text primary key,
  project_id text not null,
  sandbox boolean not null,
  invoice_id text not null,
  created_at timestamptz not null,
  foreign key (project_id, sandbox, invoice_id) references invoice (project_id, sandbox, id)
);

create table operation (
  id text primary key,
  project_id text not null,
  sandbox boolean not null,
  transaction_id text not null,
  type text not null,
  is_attempt boolean not null,
  attempt_operation_id text references operation (id) deferrable initially deferred,
  has_failed boolean not null,
  is_accountable boolean not null,
  outcome text check (outcome in ('succeeded', 'failed', 'pending', 'unknown')),
  amount_minor bigint not null check (amount_minor >= 0),
  target_total_minor bigint,
  currency text not null,
  card_id text,
  gateway_configuration_id text,
  gateway_operation_id text,
  gateway_code text,
  error_code text,
  error_message text,
  recommendation_code text,
  scheme_id text,
  initial_scheme_transaction_id text,
  authorization_code text,
  card_checks jsonb,
  begun_at timestamptz,
  actor text not null,
  metadata jsonb not null,
  created_at timestamptz not null,
  unique (project_id, sandbox, id),
  foreign key (project_id, sandbox, transaction_id) references transaction (project_id, sandbox, id) deferrable initially deferred
);
create index operation_transaction on operation (transaction_id);
-- An attempt has one final result: a second answer of the gateway cannot be booked twice.
create unique index operation_final_result on operation (attempt_operation_id) where outcome in ('succeeded', 'failed');

create table event (
  id text primary key,
  project_id text not null,
  sandbox boolean not null,
  name text not null,
  invoice_id text not null,
  transaction_id text not null,
  sequence integer not null,
  -- Kept as text, so that it reads in the order of the interface.
  data json not null,
  fired_at timestamptz not null,
  -- The database transaction that wrote the event, and the place within all events: a list shows an event only
  -- when no older transaction can still commit before it.
  written_by xid8 not null default pg_current_xact_id(),
  position bigint generated always as identity,
  unique (project_id, sandbox, id),
  unique (transaction_id, sequence),
  foreign key (project_id, sandbox, transaction_id) references transaction (project_id, sandbox, id) deferrable initially deferred
);
create index event_order on event (project_id, sandbox, written_by, position);

create table delivery (
  id text primary key,
  project_id text not null,
  sandbox boolean not null,
  event_id text not null,
  target_url text not null,
  status text not null check (status in ('pending', 'delivered', 'failed')),
  first_attempt_at timestamptz,
  release_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null,
  unique (project_id, sandbox, id),
  unique (event_id, target_url),
  foreign key (project_id, sandbox, event_id) references event (project_id, sandbox, id) deferrable initially deferred
);

create table delivery_attempt (
  id text primary key,
  project_id text not null,
  sandbox boolean not null,
  delivery_id text not null,
  attempt integer not null,
  response_code integer,
  failure_reason text,
  response_time_ms integer not null,
  started_at timestamptz not null,
  unique (delivery_id, attempt),
  foreign key (project_id, sandbox, delivery_id) references delivery (project_id, sandbox, id)
);
create index event_invoice on event (invoice_id);
-- "Did this host accept its last webhook?" is asked before every first attempt.
create index delivery_host on delivery (project_id, sandbox, split_part(target_url, '/', 3), first_attempt_at desc)
  where first_attempt_at is not null;
