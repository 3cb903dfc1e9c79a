alter table invoice
  add column customer_id text,
  add column token_id text,
  add column reference_id text,
  add column verification boolean not null default false,
  add column statement_descriptor_phone text,
  add column statement_descriptor_city text,
  add column statement_descriptor_company text,
  add column statement_descriptor_url text,
  add column cancel_url text,
  add column device jsonb,
  add column initiation_type text,
  add column payment_intent text,
  add column payment_type text,
  add column expires_at timestamptz,
  add column awaits_expiry boolean not null default false,
  add column expired_at timestamptz,
  add column require_backend_capture boolean not null default false,
  add column risk jsonb,
  add column shipping jsonb,
  add column billing jsonb,
  add column tax jsonb,
  add column external_fraud_tools jsonb,
  add column payment_methods jsonb;

-- Nothing is charged by an invoice that only verifies a payment source, and by no other is nothing charged.
alter table invoice drop constraint invoice_amount_minor_check;
alter table invoice
  add constraint nothing_only_to_verify check (amount_minor > 0 or (amount_minor = 0 and verification)),
  add foreign key (project_id, sandbox, customer_id)
    references customer (project_id, sandbox, id) deferrable initially deferred,
  -- The token is one of the customer's own.
  add constraint token_has_its_customer check (token_id is null or customer_id is not null),
  add foreign key (project_id, sandbox, customer_id, token_id)
    references customer_token (project_id, sandbox, customer_id, id) deferrable initially deferred;
create index invoice_customer on invoice (customer_id) where customer_id is not null;

-- A merchant's own key of an invoice; no two invoices of a project's environment share one.
create unique index invoice_reference on invoice (project_id, sandbox, reference_id) where reference_id is not null;

-- What the sweep asks every minute: which invoices have passed their end and are not decided on.
alter table invoice add constraint only_an_end_is_awaited check (not awaits_expiry or expires_at is not null);
create index invoice_expiring on invoice (expires_at) where awaits_expiry;

create table invoice_detail (
  id text primary key,
  project_id text not null,
  sandbox boolean not null,
  invoice_id text not null,
  position integer not null check (position > 0),
  name text not null,
  type text,
  amount_minor bigint not null check (amount_minor >= 0),
  quantity integer not null check (quantity >= 1),
  discount_minor bigint check (discount_minor >= 0),
  metadata jsonb not null,
  category text,
  reference text,
  description text,
  brand text,
  model text,
  condition text,
  marketplace_merchant text,
  marketplace_merchant_is_business boolean,
  marketplace_merchant_created_at timestamptz,
  captured_minor bigint not null default 0 check (captured_minor >= 0),
  refunded_minor bigint not null default 0 check (refunded_minor >= 0),
  capture_operation_id text,
  refund_operation_id text,
  created_at timestamptz not null,
  unique (project_id, sandbox, id),
  unique (invoice_id, position) deferrable initially deferred,
  foreign key (project_id, sandbox, invoice_id) references invoice (project_id, sandbox, id)
    on delete cascade deferrable initially deferred,
  foreign key (project_id, sandbox, capture_operation_id) references operation (project_id, sandbox, id)
    deferrable initially deferred,
  foreign key (project_id, sandbox, refund_operation_id) references operation (project_id, sandbox, id)
    deferrable initially deferred,
  -- Nothing captured and nothing refunded are bounds, too: no discount is more than its line costs.
  constraint line_is_captured_once check (captured_minor <= amount_minor::numeric * quantity - coalesce(discount_minor, 0)),
  constraint line_is_refunded_once check (refunded_minor <= amount_minor::numeric * quantity - coalesce(discount_minor, 0))
);

-- Webhooks that nobody began to send: what a sweep that fires events starts, and starts again after a crash.
create index delivery_not_begun on delivery (created_at) where first_attempt_at is null;
