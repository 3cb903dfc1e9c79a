-- What a payment needs for its whole life: several steps under way at once, refunds, disputes, and what a gateway tells
-- unasked.

alter table project
  add column default_currency text not null default 'USD',
  -- A gateway may approve less than was asked; a project that does not say that it takes it gets a decline instead.
  add column accepts_partial_approvals boolean not null default false;

alter table gateway_configuration
  -- What this account cannot do although its gateway can, such as {"multipleCaptures": false}.
  add column capabilities jsonb not null default '{}',
  -- How long authorizations hold here, by scheme and initiation; never longer than the seven days of the product.
  add column authorization_validity jsonb not null default '[]',
  add column updated_at timestamptz not null default now();

-- A step whose outcome is not final is an entry of this list. What such steps may still take or give back is reserved in
-- the two columns beside it, so that the constraints count it.
alter table transaction
  add column attempts_in_flight jsonb not null default '[]',
  add column capturing_minor bigint not null default 0 check (capturing_minor >= 0),
  add column refunding_minor bigint not null default 0 check (refunding_minor >= 0);
update transaction
  set attempts_in_flight = jsonb_build_array(jsonb_build_object(
        'operationId', attempt_in_flight_id, 'type', attempt_in_flight_type, 'amountMinor', operation.amount_minor,
        'isFinal', true, 'isAbandoned', false, 'releases', null,
        'begunAt', (extract(epoch from coalesce(operation.begun_at, operation.created_at)) * 1000)::bigint)),
      capturing_minor = case when attempt_in_flight_type = 'capture' then operation.amount_minor else 0 end
  from operation where operation.id = attempt_in_flight_id;
drop index transaction_in_flight;
drop index transaction_due;
alter table transaction
  drop constraint attempt_in_flight_has_a_type,
  drop column attempt_in_flight_id,
  drop column attempt_in_flight_type,
  drop constraint never_more_than_authorized,
  drop constraint never_more_than_captured,
  drop constraint transaction_amount_minor_check,
  add constraint amount_is_not_negative check (amount_minor >= 0),
  add constraint never_more_than_authorized check (captured_minor + voided_minor + capturing_minor <= authorized_minor),
  add constraint never_more_than_captured check (refunded_minor + refunding_minor <= captured_minor),
  add column customer_id text,
  add column token_id text,
  -- The gateway's own continuation, where the payment had one in place of a card.
  add column gateway_request text,
  add column capabilities jsonb not null default
    '{"authorize": true, "partialCapture": true, "multipleCaptures": true, "partialVoid": true, "incrementalAuthorization": true, "refund": true, "partialRefund": true}',
  add column authorization_validity_ms bigint not null default 604800000 check (authorization_validity_ms <= 604800000),
  add column captures_count integer not null default 0,
  add column auto_capture_detail_ids jsonb,
  add column auto_capture_is_final boolean not null default true,
  -- A scheduled capture that failed for a reason that passes is tried again then.
  add column auto_capture_retry_at timestamptz,
  add column auto_capture_failures integer not null default 0,
  add column expiry_told boolean not null default false,
  -- Approved authorizations that this payment does not stand on; they are voided.
  add column orphans jsonb not null default '[]',
  add column outcome_unknown_since timestamptz,
  -- Something happened that the books cannot hold; staff look at it.
  add column needs_attention boolean not null default false,
  add column refunded_at timestamptz,
  add column chargedback_at timestamptz,
  add column received_fraud_notification boolean not null default false,
  add column received_retrieval_request boolean not null default false,
  add column merchant_advice_code text,
  add foreign key (project_id, sandbox, customer_id) references customer (project_id, sandbox, id) deferrable initially deferred,
  add foreign key (project_id, sandbox, token_id) references customer_token (project_id, sandbox, id) deferrable initially deferred;

update transaction set captures_count = 1 where captured_minor > 0;

-- What the sweep asks every minute: which attempts and which instants have nobody looking after them.
create index transaction_in_flight on transaction (updated_at)
  where attempts_in_flight <> '[]' or orphans <> '[]';
create index transaction_due on transaction
    (least(greatest(auto_capture_at, auto_capture_retry_at), authorization_expires_at))
  where captured_minor + voided_minor < authorized_minor and attempts_in_flight = '[]';

-- Most invoices have no lines, and nothing is asked for them.
alter table invoice add column has_details boolean not null default false;
update invoice set has_details = true where exists (select from invoice_detail where invoice_id = invoice.id);

alter table operation
  drop constraint operation_outcome_check,
  add constraint operation_outcome check (outcome in ('succeeded', 'failed', 'pending', 'unknown')),
  add constraint operation_type check
    (type in ('request', 'three_d_s_check', 'authorization', 'increment_authorization', 'capture', 'void', 'refund', 'chargeback')),
  -- Rows of one change have one date; this tells which came first.
  add column position bigint generated always as identity,
  add column token_id text,
  add column refund_id text,
  add column detail_ids jsonb,
  add column is_final boolean,
  add column may_fall_back_to_sale boolean,
  add column save_source boolean,
  add column gateway_request text,
  -- On the void of an authorization that the payment does not stand on: the gateway's name for it.
  add column gateway_authorization_id text,
  add column scheme_used text,
  add column merchant_advice_code text,
  add column chargeback_reason text;

drop index operation_transaction;
create index operation_transaction on operation (transaction_id, position);

create table refund (
  id text primary key,
  project_id text not null,
  sandbox boolean not null,
  transaction_id text not null,
  operation_id text not null unique references operation (id) deferrable initially deferred,
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  reason text not null check (reason in ('customer_request', 'duplicate', 'fraud', 'other')),
  information text,
  metadata jsonb not null,
  detail_ids jsonb,
  status text not null check (status in ('pending', 'succeeded', 'failed')),
  error_code text,
  failed_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (project_id, sandbox, id),
  foreign key (project_id, sandbox, transaction_id) references transaction (project_id, sandbox, id) deferrable initially deferred
);

-- What a gateway told unasked: stored first, applied under the lock of the payment afterwards, once.
create table gateway_notice (
  id bigint generated always as identity primary key,
  project_id text not null,
  sandbox boolean not null,
  gateway_configuration_id text not null,
  gateway_notice_id text not null,
  invoice_id text not null,
  what text not null,
  reference text,
  amount_minor bigint not null,
  currency text not null,
  reason text,
  received_at timestamptz not null,
  applied_at timestamptz,
  unique (gateway_configuration_id, gateway_notice_id),
  foreign key (project_id, sandbox, gateway_configuration_id) references gateway_configuration (project_id, sandbox, id),
  foreign key (project_id, sandbox, invoice_id) references invoice (project_id, sandbox, id)
);
create index gateway_notice_unapplied on gateway_notice (invoice_id) where applied_at is null;

-- What a command says that must not stand in a workflow history: free text of the merchant. Read with the attempt.
create table command_note (
  operation_id text primary key,
  project_id text not null,
  sandbox boolean not null,
  content jsonb not null,
  created_at timestamptz not null
);
create index command_note_age on command_note (created_at);
