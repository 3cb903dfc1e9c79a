-- Customers, the tokens that stand for their stored cards, and everything that a card can tell of itself.

create table customer (
  id text primary key,
  project_id text not null references project (id),
  sandbox boolean not null,
  default_token_id text,
  email text,
  first_name text,
  last_name text,
  address1 text,
  address2 text,
  city text,
  state text,
  zip text,
  country_code text,
  phone_number text,
  phone_dialing_code text,
  legal_document text,
  ip_address text,
  sex text check (sex in ('male', 'female')),
  date_of_birth timestamptz,
  is_business boolean not null,
  currency text,
  balance_minor bigint not null,
  metadata jsonb not null,
  reference_id text,
  registered_at timestamptz not null,
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (project_id, sandbox, id),
  constraint balance_has_a_currency check (balance_minor = 0 or currency is not null),
  -- The row of a deleted customer stays for the books and tells nothing of a person.
  constraint deleted_customer_is_nobody check (
    deleted_at is null or (
      default_token_id is null and email is null and first_name is null and last_name is null and address1 is null
      and address2 is null and city is null and state is null and zip is null and country_code is null and phone_number is null
      and phone_dialing_code is null and legal_document is null and ip_address is null and sex is null
      and date_of_birth is null and reference_id is null and metadata = '{}'::jsonb
    )
  )
);

alter table card
  add column address1 text,
  add column address2 text,
  add column city text,
  add column state text,
  add column zip text,
  add column billing_country_code text,
  add column bank_name text,
  add column brand text,
  add column category text check (category in ('consumer', 'commercial')),
  add column token_type text,
  add column tokenization_method text,
  add column cvc_tokenized boolean not null default false,
  add column has_been_authorized boolean not null default false,
  add column update_type text,
  add column update_reason_code text,
  add column ip_address text,
  add column user_agent text,
  add column header_accept text,
  add column header_referer text,
  add column app_color_depth integer,
  add column app_java_enabled boolean,
  add column app_language text,
  add column app_screen_height integer,
  add column app_screen_width integer,
  add column app_timezone_offset integer,
  add column used_by_token_id text,
  add column deleted_at timestamptz,
  alter column number_ciphertext drop not null,
  alter column number_key_id drop not null,
  -- Transactions keep referring to the row of a deleted card; nothing can be charged to it any more.
  add constraint deleted_card_has_no_number check (
    case when deleted_at is null
      then number_ciphertext is not null and number_key_id is not null
      else number_ciphertext is null and number_key_id is null
    end
  );

create table customer_token (
  id text primary key,
  project_id text not null,
  sandbox boolean not null,
  customer_id text not null,
  card_id text,
  invoice_id text,
  gateway_configuration_id text,
  -- What the gateway calls a source that it keeps itself.
  gateway_token text,
  type text not null check (type in ('card', 'gateway_token', 'bank_account', 'pending')),
  is_chargeable boolean not null,
  is_subscription_only boolean not null,
  summary text,
  description text,
  verification_status text not null check (
    verification_status in ('success', 'pending', 'failed', 'not-requested', 'unknown')
  ),
  -- By scheme: what the scheme called the first payment that the customer made with it, for those without the customer.
  scheme_transaction_ids jsonb not null default '{}',
  return_url text,
  cancel_url text,
  webhook_url text,
  manual_invoice_cancellation boolean not null,
  metadata jsonb not null,
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (project_id, sandbox, id),
  unique (project_id, sandbox, customer_id, id),
  foreign key (project_id, sandbox, customer_id) references customer (project_id, sandbox, id) deferrable initially deferred,
  foreign key (project_id, sandbox, card_id) references card (project_id, sandbox, id) deferrable initially deferred,
  foreign key (project_id, sandbox, invoice_id) references invoice (project_id, sandbox, id) deferrable initially deferred,
  foreign key (project_id, sandbox, gateway_configuration_id) references gateway_configuration (project_id, sandbox, id) deferrable initially deferred,
  constraint card_token_has_a_card check ((type = 'card') = (card_id is not null)),
  constraint gateway_token_has_a_name check (type <> 'gateway_token' or gateway_token is not null)
);
-- A card is single-use: it becomes one token, once.
create unique index customer_token_card on customer_token (card_id) where card_id is not null;

alter table customer
  -- The default token is one of the customer's own.
  add foreign key (project_id, sandbox, id, default_token_id)
    references customer_token (project_id, sandbox, customer_id, id) deferrable initially deferred;

alter table card
  add foreign key (project_id, sandbox, used_by_token_id)
    references customer_token (project_id, sandbox, id) deferrable initially deferred;

-- Events about customers, tokens and cards belong to no transaction.
alter table event
  alter column invoice_id drop not null,
  alter column transaction_id drop not null,
  alter column sequence drop not null,
  add column customer_id text,
  add constraint sequence_counts_the_events_of_a_transaction check ((transaction_id is null) = (sequence is null)),
  add foreign key (project_id, sandbox, customer_id) references customer (project_id, sandbox, id) deferrable initially deferred;
create index event_customer on event (customer_id) where customer_id is not null;
