-- What a scheme has said about trying a card again, kept from the decline that said it. How far a block reaches is told by
-- what it leaves open: without a gateway configuration it holds at all of them, without an amount for all amounts.
create table mac_blocks (
  project_id text not null,
  sandbox boolean not null,
  card_fingerprint text not null,
  gateway_configuration_id text,
  amount_minor bigint check (amount_minor >= 0),
  currency text,
  -- The advice as the gateway gave it, and whose it is.
  code text not null,
  network text not null check (network in ('mastercard', 'visa')),
  source_operation_id text not null,
  created_at timestamptz not null,
  -- The last decline that asked for it; a payment that was sent before that one proves nothing against it.
  extended_at timestamptz not null,
  expires_at timestamptz not null,
  unique nulls not distinct (project_id, sandbox, card_fingerprint, gateway_configuration_id, amount_minor, currency),
  foreign key (project_id, sandbox, gateway_configuration_id)
    references gateway_configuration (project_id, sandbox, id),
  foreign key (project_id, sandbox, source_operation_id) references operation (project_id, sandbox, id)
    deferrable initially deferred,
  constraint amounts_have_a_currency check ((amount_minor is null) = (currency is null)),
  constraint gateways_bar_amounts check (gateway_configuration_id is null or amount_minor is not null)
);
create index mac_blocks_age on mac_blocks (expires_at);

alter table operation
  -- On a result: the gateway did not take the call up, so that no network has heard of it. Of older results that is not known.
  add column is_not_sent boolean not null default false,
  -- On a declined result: when it may be tried again at the earliest.
  add column retry_after timestamptz;
alter table transaction add column retry_after timestamptz;

-- The declines of a card, by which the networks' limits are judged: whoever creates a card anew for each payment has many
-- rows with one fingerprint.
create index card_fingerprint on card (project_id, sandbox, fingerprint);
create index operation_card on operation (card_id) where type = 'authorization' and not is_attempt;

-- What of it holds for a project beside the block on "do not try again", and what the networks let pass without a fee:
-- domain/network-limits.ts.
alter table project
  add column blocks_stopped_payments boolean not null default false,
  add column enforces_retry_after boolean not null default false,
  add column enforces_network_limits boolean not null default false,
  add column visa_reattempts integer not null default 20 check (visa_reattempts between 1 and 1000),
  add column mastercard_declines_per_day integer not null default 10
    check (mastercard_declines_per_day between 1 and 1000),
  add column mastercard_declines_per_amount integer not null default 35
    check (mastercard_declines_per_amount between 1 and 1000);
