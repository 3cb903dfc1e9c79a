-- The simulator's books for a payment's whole life: refunds, outcomes that become final later, and what a gateway tells
-- unasked.

alter table simulator.request
  add column gateway_configuration_id text not null default '',
  drop constraint request_type_check,
  add constraint request_type check (type in ('authorization', 'increment_authorization', 'capture', 'void', 'refund')),
  add column is_final boolean,
  -- How the answer fared; null where it arrived.
  add column delivery text check (delivery in ('lost', 'late', 'never-resolved')),
  -- What a pending outcome becomes; kept when it has.
  add column later jsonb,
  add column looked_up integer not null default 0 check (looked_up >= 0);

alter table simulator.held_authorization
  add column gateway_configuration_id text not null default '',
  -- What happens at the steps that follow, by type of request; empty for an ordinary card.
  add column story jsonb not null default '{}',
  add column failed_captures integer not null default 0 check (failed_captures >= 0),
  -- Money of captures and refunds whose outcome is pending.
  add column capturing_minor bigint not null default 0 check (capturing_minor >= 0),
  add column refunding_minor bigint not null default 0 check (refunding_minor >= 0),
  add column refunded_minor bigint not null default 0 check (refunded_minor >= 0),
  drop constraint never_more_than_authorized,
  add constraint never_more_than_authorized check (captured_minor + capturing_minor + voided_minor <= authorized_minor),
  add constraint never_more_than_captured check (refunded_minor + refunding_minor <= captured_minor);

-- What is held already gets the account that it belongs to, so that its payments can go on.
update simulator.request as request set gateway_configuration_id = transaction.gateway_configuration_id
  from transaction where transaction.invoice_id = request.invoice_id;
update simulator.held_authorization as held set gateway_configuration_id = request.gateway_configuration_id
  from simulator.request where request.type = 'authorization' and request.gateway_authorization_id = held.id;
alter table simulator.request alter column gateway_configuration_id drop default;
alter table simulator.held_authorization alter column gateway_configuration_id drop default;

-- A use counts in the account in which it happened; to which account the uses so far belong, nobody knows any more.
delete from simulator.used_card;
alter table simulator.used_card
  add column gateway_configuration_id text not null,
  drop constraint used_card_pkey,
  add primary key (gateway_configuration_id, scenario, expiry);

-- What is to be told unasked: written with what it follows from, delivered at least once, the oldest first.
create table simulator.notice (
  id text primary key,
  gateway_configuration_id text not null,
  invoice_id text not null,
  what text not null,
  reference text,
  amount_minor bigint not null,
  currency text not null,
  reason text,
  due_at timestamptz not null,
  -- While somebody delivers it, nobody else does; after this instant somebody else may.
  taken_until timestamptz,
  attempts integer not null default 0,
  delivered_at timestamptz
);
create index notice_due on simulator.notice (due_at) where delivered_at is null;
