-- The simulator's own books. They are another company's, as it were: nothing here refers to our tables and nothing of
-- ours refers to these, so that they can bear witness against ours. No card number is kept, in no form.
create schema simulator;

-- One row per reference ever asked with; asked again, it is counted and done no second time.
create table simulator.request (
  reference text primary key,
  type text not null check (type in ('authorization', 'increment_authorization', 'capture', 'void')),
  invoice_id text not null,
  gateway_authorization_id text,
  amount_minor bigint not null,
  currency text not null,
  -- Which story of the test cards was played; null for a card that is none of them.
  scenario text,
  -- What really happened, also where the answer was lost on its way.
  outcome jsonb not null,
  asked_at timestamptz not null,
  times_asked integer not null default 1 check (times_asked > 0)
);
create index request_invoice on simulator.request (invoice_id);
create index request_authorization on simulator.request (gateway_authorization_id);

-- What the issuer holds. Every change of it locks its row first.
create table simulator.held_authorization (
  id text primary key,
  scenario text not null,
  currency text not null,
  incremental boolean not null,
  authorized_minor bigint not null check (authorized_minor >= 0),
  captured_minor bigint not null default 0 check (captured_minor >= 0),
  voided_minor bigint not null default 0 check (voided_minor >= 0),
  captures integer not null default 0,
  constraint never_more_than_authorized check (captured_minor + voided_minor <= authorized_minor)
);

-- Cards that behave otherwise from their second use on. Scenario and expiry date stand for the card.
create table simulator.used_card (
  scenario text not null,
  expiry text not null,
  first_reference text not null,
  primary key (scenario, expiry)
);
