-- The tables, with their constraints and indexes. Functions and triggers are in ../sql/functions.

-- Every table below project carries project_id and sandbox, and the foreign keys from one kind of object to another span
-- both, so that one project or environment can never refer to a row of another. The rows of one change are written in
-- one flush, whose order is the ORM's, so the foreign keys between them are checked at the commit.

-- A text as it is searched for: without case, and without accents where a letter has one, in whatever language. Sorted by its
-- bytes, so that an index finds all that begin with a text.
create function search_text(text) returns text language sql immutable strict parallel safe
return regexp_replace(normalize(casefold($1 collate pg_unicode_fast), nfd), '[\u0300-\u036f]', '', 'g') collate "C";

-- Requests a minute; 600,000 is the most that the limiter counts exactly (domain/rate-limits.ts).
create domain requests_a_minute as integer check (value between 1 and 600000);

create table project (
  id text primary key,
  name text not null,
  created_at timestamptz not null,
  default_currency text not null default 'USD',
  -- A gateway may approve less than was asked; a project that does not say that it takes it gets a decline instead.
  accepts_partial_approvals boolean not null default false,
  primary_limit requests_a_minute not null default 3000,
  secondary_limit requests_a_minute not null default 3000,
  sandbox_limit requests_a_minute not null default 3000,
  client_address_limit requests_a_minute not null default 300,
  client_invoice_limit requests_a_minute not null default 60,
  -- While it is set, no new money moves.
  suspended_at timestamptz,
  -- Calls without a secret may also capture and increment what is authorized, and set what overrides a rule.
  allows_client_captures boolean not null default false,
  allows_client_overrides boolean not null default false,
  -- Which advice of schemes is enforced beside "do not try again", and how many tries the networks allow without a fee:
  -- domain/network-limits.ts.
  blocks_stopped_payments boolean not null default false,
  enforces_retry_after boolean not null default false,
  -- Whether its people need something beside the password.
  requires_second_factor boolean not null default false,
  enforces_network_limits boolean not null default false,
  visa_reattempts integer not null default 20 check (visa_reattempts between 1 and 1000),
  mastercard_declines_per_day integer not null default 10
    check (mastercard_declines_per_day between 1 and 1000),
  mastercard_declines_per_amount integer not null default 35
    check (mastercard_declines_per_amount between 1 and 1000),
  -- Whether calls without a secret key may say how much of an invoice is captured.
  allows_client_amounts boolean not null default false,
  -- The origins whose pages may show the card form in a frame; an empty list allows all of them.
  page_origins text[] not null default '{}',
  -- How many attempts of clients may fail: for one invoice, with one card within an hour, in one project and environment
  -- within an hour. See domain/client-failures.ts.
  client_failures_per_invoice integer not null default 10,
  client_failures_per_card integer not null default 10,
  client_failures_per_project integer not null default 1000,
  constraint project_client_failures_check check (
    client_failures_per_invoice > 0 and client_failures_per_card > 0 and client_failures_per_project > 0)
);

-- Several secret keys for each environment of a project, each with what it may be used for.
create table api_key (
  id text primary key,
  project_id text not null references project (id),
  sandbox boolean not null,
  secret_hash text not null unique,
  revoked_at timestamptz,
  created_at timestamptz not null,
  name text,
  permissions text[] not null default '{read,payments,refunds,configuration,webhooks}'
    check (permissions <@ '{read,payments,refunds,configuration,webhooks}'),
  -- The last characters of the secret, by which people tell their keys apart.
  secret_ending text,
  -- Exact to the minute.
  last_used_at timestamptz
);
create index api_key_project on api_key (project_id);

-- The people who sign in to the dashboard, over all projects. A row stays for good: the record names people by their ids.
create table person (
  id text primary key,
  email text not null unique check (email = lower(email)),
  name text not null,
  -- Argon2id, in the text form of its reference implementation.
  password_hash text not null check (starts_with(password_hash, '$argon2id$')),
  -- A keyed hash of the one-time link by which the person chooses another password, and until when it can be used.
  reset_hash text unique check (reset_hash ~ '^[0-9a-f]{64}$'),
  reset_expires_at timestamptz,
  -- What an authenticator app shares with the service, and the last step of time whose code was used.
  totp_ciphertext bytea,
  totp_key_id text,
  totp_step bigint,
  created_at timestamptz not null,
  disabled_at timestamptz,
  last_signed_in_at timestamptz,
  check ((reset_hash is null) = (reset_expires_at is null)),
  check (num_nulls(totp_ciphertext, totp_key_id, totp_step) in (0, 3))
);

-- Passkeys of people, beside the password.
create table person_passkey (
  -- The id of the credential, in base64url.
  id text primary key,
  person_id text not null references person (id),
  name text not null,
  -- In base64url, in the form of COSE.
  public_key text not null,
  sign_count bigint not null,
  -- How browsers reach the authenticator, between commas.
  transports text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index person_passkey_person on person_passkey (person_id);

-- What lets a person in once who has lost the second factor, by a keyed hash.
create table recovery_code (
  code_hash text primary key check (code_hash ~ '^[0-9a-f]{64}$'),
  person_id text not null references person (id)
);
create index recovery_code_person on recovery_code (person_id);

-- Who belongs to a project, in both of its environments, and as what: domain/role.ts.
create table project_member (
  project_id text not null references project (id),
  person_id text not null references person (id),
  role text not null check (role in ('owner', 'developer', 'support')),
  created_at timestamptz not null,
  -- By which the audit log names the row.
  id text not null generated always as (project_id || '/' || person_id) stored,
  primary key (project_id, person_id)
);
create index project_member_person on project_member (person_id);

-- Whom a project has asked to join: by a one-time link, of which only a keyed hash is kept. Accepted, withdrawn and expired
-- ones are deleted; the audit log has them.
create table invitation (
  id text primary key,
  project_id text not null references project (id),
  email text not null check (email = lower(email)),
  role text not null check (role in ('owner', 'developer', 'support')),
  token_hash text not null unique check (token_hash ~ '^[0-9a-f]{64}$'),
  -- The owner, with whom the invitation stands and falls; null for the operator.
  invited_by text references person (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- A new one takes the place of the one before.
  unique (project_id, email)
);
create index invitation_end on invitation (expires_at);

-- The sessions of people, by a keyed hash of what their cookies hold.
create table person_session (
  token_hash text primary key check (token_hash ~ '^[0-9a-f]{64}$'),
  person_id text not null references person (id),
  created_at timestamptz not null,
  -- Exact to the minute.
  last_used_at timestamptz not null,
  ends_at timestamptz not null,
  -- Since when the session has more than the password.
  second_factor_at timestamptz,
  -- What a passkey has to sign next, and for what; used once.
  challenge text
);
create index person_session_person on person_session (person_id);
create index person_session_end on person_session (ends_at);

-- Tries to sign in that were not right in the end, for each account and kind of browser, by a keyed hash of the address:
-- one without an account has rows as well, so that nothing tells it from others.
create table sign_in_failure (
  subject text primary key,
  tries integer not null,
  tried_at timestamptz not null,
  locked_until timestamptz
);
create index sign_in_failure_age on sign_in_failure (tried_at);

-- One row for each bucket of the limiter. A row that is not there is a full bucket.
create table rate_limit_bucket (
  kind text not null,
  -- The id of a project, of an invoice, or an address.
  subject text not null,
  -- When the bucket will be full again, in microseconds since the epoch.
  theoretical_arrival_us bigint not null,
  primary key (kind, subject)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);

-- One row for every idempotency key that a merchant has used and whose answer is kept. The id is a keyed hash of
-- project, environment, method, path and key, so that two uses of one key meet on the primary key. Nothing refers to
-- these rows.
create table idempotency_key (
  id text primary key check (id ~ '^[0-9a-f]{64}$'),
  project_id text not null references project (id),
  sandbox boolean not null,
  -- Of the fields of the request; keyed, because they may hold a card number.
  request_hash text not null check (request_hash ~ '^[0-9a-f]{64}$'),
  -- The attempt that answers, where a payment does.
  operation_id text,
  status integer,
  -- Text and not jsonb: a repeated answer has the same bytes.
  body text,
  created_at timestamptz not null,
  completed_at timestamptz,
  constraint answer_is_whole check (num_nonnulls(status, body, completed_at) in (0, 3))
);
create index idempotency_key_age on idempotency_key (created_at);
-- Answers that tell the secret of an endpoint are kept with the secret encrypted: its ciphertext and the id of its key.
create index idempotency_key_encrypted on idempotency_key (id) where body like '%"secret":["%';

-- What merchants asked of the interface and what they were told, without card data and secrets, for 30 days. It is the
-- table that is written most and bears witness only: nothing refers to it, so it has no key that others could refer to.
create table api_request (
  id text primary key,
  project_id text not null references project (id),
  sandbox boolean not null,
  -- The X-Request-Id of the answer. A caller may choose it, and may choose it twice.
  request_id text not null,
  method text not null,
  path text not null,
  query jsonb,
  status integer not null check (status between 100 and 599),
  error_type text,
  has_idempotency_key boolean not null,
  ip text,
  user_agent text,
  api_version text,
  latency_ms integer not null check (latency_ms >= 0),
  request_body jsonb,
  response_body text,
  created_at timestamptz not null,
  -- The key that the request was made with, or the person of the dashboard; both are null where a client made it.
  api_key_id text,
  person_id text
);
-- The list, in its order.
create index api_request_list on api_request (project_id, sandbox, created_at, id);
-- Not BRIN: rows are deleted and their room is used again, so that blocks hold rows of every age.
create index api_request_age on api_request (created_at);
create index api_request_error_list on api_request (project_id, sandbox, error_type, created_at, id)
  where error_type is not null;
-- What people look for in the log: a path, a method, and what was refused or failed. Behind the order, the status is compared
-- in the index. Of names and paths there are numbers, since both are long, and of each project others, since all merchants have
-- the same paths; what many requests have is read in the order of the list.
create index api_request_name on api_request (hashtextextended(project_id || ' ' || request_id, 0));
create index api_request_path on api_request (hashtextextended(project_id || ' ' || path, 0));
create index api_request_method_list on api_request (project_id, sandbox, method, created_at, id);
create index api_request_refused_list on api_request (project_id, sandbox, created_at, id, status) include (method, path)
  where status >= 400;

-- How much of each limit was used in each minute, as the requests in the log say; for the gauges of the dashboard.
create table limit_minute (
  project_id text not null,
  sandbox boolean not null,
  kind text not null,
  minute timestamptz not null,
  requests integer not null,
  refused integer not null,
  lowest_remaining integer not null,
  primary key (project_id, sandbox, kind, minute)
);
create index limit_minute_age on limit_minute (minute);

-- By which processes know that their keys are those of this database: for each key what it makes of a fixed text
-- (HMAC-SHA-256 in hexadecimal), from which nobody finds the key. A key of a ring has its id behind the name of the
-- ring.
create table service_key (
  name text primary key,
  proof text not null check (proof ~ '^[0-9a-f]{64}$')
);

create table gateway_configuration (
  id text primary key,
  project_id text not null references project (id),
  sandbox boolean not null,
  gateway_name text not null,
  name text not null,
  enabled boolean not null,
  default_preferred_scheme text,
  created_at timestamptz not null,
  -- What this account cannot do although its gateway can, such as {"multipleCaptures": false}.
  capabilities jsonb not null default '{}',
  -- How long authorizations hold here, by scheme and initiation; never longer than the seven days of the product.
  authorization_validity jsonb not null default '[]',
  updated_at timestamptz not null default now(),
  -- While it is set, no new authorization goes there; what is there goes on. Apart from "enabled", which the merchant
  -- sets: neither may undo the other.
  draining_since timestamptz,
  -- One JSON document of secrets by their names, encrypted, with the key that it needs.
  credentials_ciphertext bytea,
  credentials_key_id text,
  -- A keyed hash of the document: by it the audit log knows that the secrets are others, and nothing of them.
  credentials_hash text check (credentials_hash ~ '^[0-9a-f]{64}$'),
  -- When each of them was set, by their names.
  credentials_set_at jsonb not null default '{}',
  -- What else the adapter is told; nothing of it is secret.
  settings jsonb not null default '{}',
  default_currency text,
  processing_region text,
  merchant_account_country_code text,
  metadata jsonb not null default '{}',
  enabled_at timestamptz,
  -- A deleted one stays for the record, and for what is still to be done there.
  deleted_at timestamptz,
  -- Counts the changes of what says which account a gateway configuration is: its keys, and settings such as a merchant
  -- account.
  account_version integer not null default 1,
  unique (project_id, sandbox, id),
  constraint simulator_is_sandbox_only check (gateway_name <> 'simulator' or sandbox),
  constraint credentials_are_whole check (
    (credentials_ciphertext is null) = (credentials_key_id is null)
    and (credentials_ciphertext is null) = (credentials_hash is null)
    and (credentials_ciphertext is not null or credentials_set_at = '{}')),
  constraint deleted_takes_nothing_new check (deleted_at is null or not enabled)
);
create index gateway_configuration_list on gateway_configuration (project_id, sandbox, created_at, id);

-- Whether a process sends payments to an account at a gateway at present, for people to see. Each process has circuits
-- of its own, in its memory; it writes here when one changes, and never reads it.
create table gateway_circuit (
  project_id text not null,
  sandbox boolean not null,
  gateway_configuration_id text not null,
  process text not null,
  state text not null check (state in ('closed', 'open', 'half-open')),
  reason text not null,
  changed_at timestamptz not null,
  primary key (gateway_configuration_id, process),
  foreign key (project_id, sandbox, gateway_configuration_id) references gateway_configuration (project_id, sandbox, id) on delete cascade
);

-- The routing rules of a project in one environment. A version is never changed: another text is another version.
create table rule_set (
  id text primary key,
  project_id text not null references project (id),
  sandbox boolean not null,
  version integer not null check (version > 0),
  -- As the merchant wrote it, comments included, and what it was read as.
  text text not null,
  rules jsonb not null,
  -- Of amounts that stand without one: a project that changes its own does not change what a version means.
  default_currency text not null,
  created_at timestamptz not null,
  -- The API key that made it, or an administrator's name.
  created_by text not null,
  unique (project_id, sandbox, version),
  unique (project_id, sandbox, id)
);
-- Versions are listed like everything else.
create index rule_set_list on rule_set (project_id, sandbox, created_at, id);

-- Which version decides: one row is changed, so that no payment sees half of a change. None means no rules.
create table active_rule_set (
  project_id text not null references project (id),
  sandbox boolean not null,
  rule_set_id text not null,
  activated_at timestamptz not null,
  -- By which the audit log names the row.
  id text not null generated always as (project_id || case when sandbox then '/sandbox' else '/live' end) stored,
  primary key (project_id, sandbox),
  foreign key (project_id, sandbox, rule_set_id) references rule_set (project_id, sandbox, id)
);

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
  -- The row of a deleted customer stays for the record and tells nothing of a person.
  constraint deleted_customer_is_nobody check (
    deleted_at is null or (
      default_token_id is null and email is null and first_name is null and last_name is null and address1 is null
      and address2 is null and city is null and state is null and zip is null and country_code is null and phone_number is null
      and phone_dialing_code is null and legal_document is null and ip_address is null and sex is null
      and date_of_birth is null and reference_id is null and metadata = '{}'::jsonb
    )
  )
);
create index customer_list on customer (project_id, sandbox, created_at, id) where deleted_at is null;
-- What customers are found by as it is typed: whole, or by its beginning.
create index customer_email on customer (project_id, sandbox, search_text(email)) where deleted_at is null;
create index customer_name on customer
  (project_id, sandbox, search_text(coalesce(first_name || ' ', '') || coalesce(last_name, ''))) where deleted_at is null;
create index customer_last_name on customer (project_id, sandbox, search_text(last_name))
  where deleted_at is null and last_name is not null;
create index customer_reference on customer (project_id, sandbox, reference_id)
  where deleted_at is null and reference_id is not null;

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
  number_ciphertext bytea,
  number_key_id text,
  used_by_invoice_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  address1 text,
  address2 text,
  city text,
  state text,
  zip text,
  billing_country_code text,
  bank_name text,
  brand text,
  category text check (category in ('consumer', 'commercial')),
  token_type text,
  tokenization_method text,
  cvc_tokenized boolean not null default false,
  has_been_authorized boolean not null default false,
  update_type text,
  update_reason_code text,
  ip_address text,
  user_agent text,
  header_accept text,
  header_referer text,
  app_color_depth integer,
  app_java_enabled boolean,
  app_language text,
  app_screen_height integer,
  app_screen_width integer,
  app_timezone_offset integer,
  used_by_token_id text,
  deleted_at timestamptz,
  -- The expiry that the merchant was told of as being near, as year * 100 + month.
  expiry_announced integer,
  -- The number of a card that nobody stored goes when no payment needs it any more; the row stays, and says when.
  number_erased_at timestamptz,
  unique (project_id, sandbox, id),
  -- Transactions keep referring to the row of a deleted card; nothing can be charged to it any more.
  constraint number_goes_once check (
    case when deleted_at is null and number_erased_at is null
      then number_ciphertext is not null and number_key_id is not null
      else number_ciphertext is null and number_key_id is null
    end
  )
);
create index card_list on card (project_id, sandbox, created_at, id) where deleted_at is null;
-- What is left to be told of: the cards of stored sources. A card that was told of is not in it until its expiry
-- changes.
create index card_expiry_untold on card (exp_year, exp_month, id)
  where used_by_token_id is not null and deleted_at is null and expiry_announced is distinct from exp_year * 100 + exp_month;
-- Card numbers that nobody stored, in the order in which they are erased.
create index card_number_age on card (created_at, id)
  where number_ciphertext is not null and used_by_token_id is null;
-- Which key encrypts what, for the rotation of keys. Security codes and secrets of endpoints are few.
create index card_number_key on card (number_key_id, id) where number_ciphertext is not null;
create index card_last4 on card (project_id, sandbox, last4_digits);
-- The declines of a card, by which the networks' limits are judged: whoever creates a card anew for each payment has
-- many rows with one fingerprint.
create index card_fingerprint on card (project_id, sandbox, fingerprint);
-- Holders are found by their name and by the last word of it. Who is erased is in neither.
create index card_holder on card (project_id, sandbox, search_text(name)) where name is not null;
create index card_holder_last_word on card (project_id, sandbox, search_text(substring(name from '\S+$')))
  where name is not null;

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

-- Written before its command is sent, so that it refers to no operation.
create table external_authentication (
  operation_id text primary key,
  project_id text not null references project (id),
  sandbox boolean not null,
  ciphertext bytea not null,
  key_id text not null,
  expires_at timestamptz not null
);
create index external_authentication_expiry on external_authentication (expires_at);

create table invoice (
  id text primary key,
  project_id text not null references project (id),
  sandbox boolean not null,
  name text not null,
  order_id text,
  amount_minor bigint not null,
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
  customer_id text,
  token_id text,
  reference_id text,
  verification boolean not null default false,
  statement_descriptor_phone text,
  statement_descriptor_city text,
  statement_descriptor_company text,
  statement_descriptor_url text,
  cancel_url text,
  device jsonb,
  initiation_type text,
  payment_intent text,
  payment_type text,
  expires_at timestamptz,
  awaits_expiry boolean not null default false,
  expired_at timestamptz,
  require_backend_capture boolean not null default false,
  risk jsonb,
  shipping jsonb,
  billing jsonb,
  tax jsonb,
  external_fraud_tools jsonb,
  payment_methods jsonb,
  -- Most invoices have no lines, and nothing is asked for them.
  has_details boolean not null default false,
  unique (project_id, sandbox, id),
  -- Nothing is charged by an invoice that only verifies a payment source, and every other one charges something.
  constraint nothing_only_to_verify check (amount_minor > 0 or (amount_minor = 0 and verification)),
  foreign key (project_id, sandbox, customer_id)
    references customer (project_id, sandbox, id) deferrable initially deferred,
  -- The token is one of the customer's own.
  constraint token_has_its_customer check (token_id is null or customer_id is not null),
  constraint only_an_end_is_awaited check (not awaits_expiry or expires_at is not null)
);
create index invoice_customer on invoice (customer_id) where customer_id is not null;
-- A merchant's own key of an invoice; no two invoices of a project's environment share one.
create unique index invoice_reference on invoice (project_id, sandbox, reference_id) where reference_id is not null;
-- What the sweep asks every minute: which invoices have passed their end and are not decided on.
create index invoice_expiring on invoice (expires_at) where awaits_expiry;
-- Lists are read in the order of (created_at, id) from a row onwards; an index in that order finds the page without
-- reading what lies before it, and counts the rows of the list without reading them. A list of one object's rows has the
-- object in front instead.
create index invoice_list on invoice (project_id, sandbox, created_at, id);
-- Filters by name ignore case. Without statistics of that PostgreSQL takes every name for a rare one and reads all rows, and not
-- the newest that are asked for.
create statistics invoice_lower_name on lower(name) from invoice;
create index invoice_order on invoice (project_id, sandbox, search_text(order_id)) where order_id is not null;
create index invoice_name on invoice (project_id, sandbox, search_text(name));
create index invoice_token on invoice (token_id) where token_id is not null;
-- Empty metadata have no keys, and yet would be written into it.
create index invoice_metadata on invoice using gin (metadata jsonb_path_ops) where metadata <> '{}';

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
  -- Which of the schemes of its card the customer wants a stored source to be paid by.
  preferred_scheme text,
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
create index customer_token_list on customer_token (project_id, sandbox, customer_id, created_at, id)
  where deleted_at is null;
-- The default token is one of the customer's own.
alter table customer add foreign key (project_id, sandbox, id, default_token_id)
  references customer_token (project_id, sandbox, customer_id, id) deferrable initially deferred;
alter table card add foreign key (project_id, sandbox, used_by_token_id)
  references customer_token (project_id, sandbox, id) deferrable initially deferred;
alter table invoice add foreign key (project_id, sandbox, customer_id, token_id)
  references customer_token (project_id, sandbox, customer_id, id) deferrable initially deferred;

-- A step changes the row within its page, where there is room for another version of it.
create table transaction (
  id text primary key,
  project_id text not null,
  sandbox boolean not null,
  invoice_id text not null,
  created_at timestamptz not null,
  customer_id text,
  token_id text,
  card_id text,
  -- The gateway's own continuation, where the payment had one in place of a card.
  gateway_request text,
  gateway_configuration_id text,
  gateway_name text,
  name text not null,
  currency text not null,
  amount_minor bigint not null,
  incremental boolean not null,
  metadata jsonb not null,
  capabilities jsonb not null default
    '{"authorize": true, "partialCapture": true, "multipleCaptures": true, "partialVoid": true, "incrementalAuthorization": true, "refund": true, "partialRefund": true}',
  authorization_validity_ms bigint not null default 604800000 check (authorization_validity_ms <= 604800000),
  initial_scheme_transaction_id text,
  scheme_used text,
  -- Which version has routed the payment, and which of its rules had a part in that.
  rule_set_id text,
  rule_set_version integer,
  routing_tags jsonb not null default '[]',
  -- The test clock of a sandbox payment: how far it is ahead of the wall clock, and its last advance.
  clock_offset_ms bigint not null default 0 check (clock_offset_ms >= 0),
  clock_move jsonb,
  auto_capture_at timestamptz,
  auto_capture_amount_minor bigint check (auto_capture_amount_minor > 0),
  auto_capture_detail_ids jsonb,
  auto_capture_is_final boolean not null default true,
  -- A scheduled capture that failed for a reason that passes is tried again then.
  auto_capture_retry_at timestamptz,
  auto_capture_failures integer not null default 0,
  expiry_announced boolean not null default false,
  expired boolean not null,
  -- Approved authorizations that this payment does not stand on; they are voided, or refunded where they took the money.
  orphans jsonb not null default '[]',
  -- The disputes about its captured money, by the gateway's ids.
  disputes jsonb not null default '[]',
  -- What follows from the disputes, for lists and exports: the sum of the open and lost ones, how many evidence can still
  -- decide, until when the first of them must be answered, where its gateway tells, and when the last one was reported.
  disputed_minor bigint not null default 0 check (disputed_minor >= 0),
  disputes_open integer not null default 0 check (disputes_open >= 0),
  evidence_due_at timestamptz,
  disputed_at timestamptz,
  chargedback_at timestamptz,
  received_fraud_notification boolean not null default false,
  received_retrieval_request boolean not null default false,
  outcome_unknown_since timestamptz,
  -- Something happened that the record cannot hold; staff look at it.
  needs_attention boolean not null default false,
  voided_minor bigint not null check (voided_minor >= 0),
  refunded_minor bigint not null check (refunded_minor >= 0),
  refunding_minor bigint not null default 0 check (refunding_minor >= 0),
  incremented_minor bigint not null check (incremented_minor >= 0),
  increment_attempts integer not null,
  voided_at timestamptz,
  refunded_at timestamptz,
  error_code text,
  error_message text,
  recommendation_code text,
  merchant_advice_code text,
  retry_after timestamptz,
  -- The last step that the customer was asked to take, and how the payment was authenticated.
  customer_action jsonb,
  authentication jsonb,
  attempts_count integer not null,
  -- What most steps change comes last: PostgreSQL logs of a change what lies between its first and its last column.
  scheme_id text,
  card_checks jsonb,
  gateway_authorization_id text,
  authorized_minor bigint not null check (authorized_minor >= 0),
  authorized_at timestamptz,
  authorization_expires_at timestamptz,
  captured_minor bigint not null check (captured_minor >= 0),
  captures_count integer not null default 0,
  captured_at timestamptz,
  status text not null,
  event_count integer not null,
  -- The workflow run that made the last attempt. The next run names it to support staff; no rule reads it.
  workflow_run_id text,
  updated_at timestamptz not null,
  -- A step whose outcome is not final is an entry of this list. What such steps may still take or give back is reserved in
  -- capturing_minor and refunding_minor, so that the constraints count it.
  attempts_in_flight jsonb not null default '[]',
  capturing_minor bigint not null default 0 check (capturing_minor >= 0),
  -- When the clock asks next for something on a payment, and when an unknown outcome is looked up next, by the wall
  -- clock. `domain` says when; whoever writes the payment writes both, so that the rule stands once. They follow from
  -- columns that are audited.
  next_due_at timestamptz,
  next_look_up_at timestamptz,
  constraint live_payments_keep_the_wall_clock check (sandbox or clock_offset_ms = 0 and clock_move is null),
  unique (project_id, sandbox, id),
  unique (project_id, sandbox, invoice_id),
  foreign key (project_id, sandbox, invoice_id) references invoice (project_id, sandbox, id) deferrable initially deferred,
  foreign key (project_id, sandbox, card_id) references card (project_id, sandbox, id) deferrable initially deferred,
  foreign key (project_id, sandbox, gateway_configuration_id) references gateway_configuration (project_id, sandbox, id) deferrable initially deferred,
  constraint amount_is_not_negative check (amount_minor >= 0),
  constraint never_more_than_authorized check (captured_minor + voided_minor + capturing_minor <= authorized_minor),
  constraint never_more_than_captured check (refunded_minor + refunding_minor <= captured_minor),
  foreign key (project_id, sandbox, customer_id) references customer (project_id, sandbox, id) deferrable initially deferred,
  foreign key (project_id, sandbox, token_id) references customer_token (project_id, sandbox, id) deferrable initially deferred,
  foreign key (project_id, sandbox, rule_set_id) references rule_set (project_id, sandbox, id),
  -- A payment that a rule refuses has no gateway.
  check ((gateway_configuration_id is null) = (gateway_name is null)),
  check (gateway_configuration_id is not null or status in ('waiting', 'blocked', 'failed'))
) with (fillfactor = 85);
create index transaction_list on transaction (project_id, sandbox, created_at, id);
create statistics transaction_name on lower(name) from transaction;
create index transaction_customer_list on transaction (project_id, sandbox, customer_id, created_at, id)
  where customer_id is not null;
-- What lists are narrowed by to few rows of many: without an index such a list would be searched from end to end. Columns that
-- change with every step are in none of these, but in payment_status.
create index transaction_error_list on transaction (project_id, sandbox, error_code, created_at, id)
  where error_code is not null;
-- The few payments that staff have to look at.
create index transaction_attention_list on transaction (project_id, sandbox, created_at, id)
  where needs_attention or outcome_unknown_since is not null;
create index transaction_dispute_list on transaction (project_id, sandbox, disputed_at, id) where disputed_at is not null;
create index transaction_open_disputes on transaction (project_id, sandbox, evidence_due_at, id) where disputes_open > 0;
create index transaction_card on transaction (card_id) where card_id is not null;
create index transaction_token on transaction (token_id) where token_id is not null;
create index transaction_metadata on transaction using gin (metadata jsonb_path_ops) where metadata <> '{}';

-- What changes with the steps of a payment and what payments are looked up by: their statuses, and when something is due. In the
-- tables of invoices and transactions each step would write anew what all their indexes say of a row; here three do. The
-- triggers of sql/functions/payment-status.sql keep it, with the columns that lists of a status are ordered and narrowed by.
create table payment_status (
  invoice_id text primary key,
  project_id text not null,
  sandbox boolean not null,
  invoice_created_at timestamptz not null,
  -- Of the transaction as well.
  currency text not null,
  expires_at timestamptz,
  expired_at timestamptz,
  transaction_id text,
  transaction_created_at timestamptz,
  -- Of the transaction; 'none' while there is none.
  status text not null default 'none',
  -- When the sweep of payments looks for it, from the most overdue on.
  due_at timestamptz,
  foreign key (project_id, sandbox, invoice_id) references invoice (project_id, sandbox, id) on delete cascade
) with (fillfactor = 80);
-- The status of an invoice follows from these columns, so that a list of it reads nothing else, within a currency as well: to look
-- up those that have it, row by row, takes half a second where few of a million have.
create index payment_status_invoices on payment_status (project_id, sandbox, status, invoice_created_at, invoice_id)
  include (currency, expires_at, expired_at);
create index payment_status_transactions
  on payment_status (project_id, sandbox, status, transaction_created_at, transaction_id) include (currency)
  where status <> 'none';
create index payment_status_due on payment_status (due_at, invoice_id) where due_at is not null;

create table operation (
  id text not null,
  project_id text not null,
  sandbox boolean not null,
  transaction_id text not null,
  type text not null,
  is_attempt boolean not null,
  attempt_operation_id text,
  has_failed boolean not null,
  is_accountable boolean not null,
  outcome text,
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
  -- Why we made it, where nobody asked for it.
  reason text check
    (reason in ('authorization_expired', 'workflow_cancelled', 'final_capture', 'late_approval', 'partial_approval', 'failed_later', 'recovered')),
  -- On the results of an authorization that took the money at once.
  is_sale boolean not null default false,
  -- On a result that came after the attempt had another one.
  corrected_attempt_id text,
  -- On the attempt of an authorization: it was to be sent whatever its network has advised.
  overrides_advice boolean not null default false,
  dispute_step text,
  -- Of a step of a dispute: the gateway's id of the dispute, until when it takes evidence, and by how much the step has
  -- changed what disputes hold back or have taken.
  dispute_id text,
  evidence_due_at timestamptz,
  disputed_minor bigint,
  created_at timestamptz not null,
  -- Rows of one change have one date; this tells which came first.
  position bigint generated always as identity,
  token_id text,
  refund_id text,
  detail_ids jsonb,
  is_final boolean,
  may_fall_back_to_sale boolean,
  save_source boolean,
  gateway_request text,
  -- On the void of an authorization that the payment does not stand on: the gateway's name for it.
  gateway_authorization_id text,
  scheme_used text,
  merchant_advice_code text,
  chargeback_reason text,
  -- On the attempt of an authorization: where it may go on after a failure, and of one that went on, the first attempt
  -- of the same command.
  route jsonb,
  fallback_of text,
  -- On a result: the gateway did not take the call up, so that no network has heard of it.
  is_not_sent boolean not null default false,
  -- On a declined result: when it may be tried again at the earliest.
  retry_after timestamptz,
  -- On an attempt: the version that its call went out with.
  account_version integer,
  -- On the attempt of an authorization: whether and how the customer is to be authenticated; on its result: how that ended.
  wanted_authentication jsonb,
  authentication jsonb,
  -- On an attempt: the person of the dashboard who asked for it.
  person_id text,
  -- The database transaction that wrote the row, by which each row is counted once: see payment_day. A number, because
  -- the index of it is of a kind that has no xid8.
  written_by bigint not null default pg_current_xact_id()::text::bigint,
  -- One index for whoever asks by the id alone, and for the foreign keys. Ids are random, and no two are the same.
  primary key (id, project_id, sandbox),
  foreign key (project_id, sandbox, attempt_operation_id) references operation (project_id, sandbox, id) deferrable initially deferred,
  foreign key (project_id, sandbox, corrected_attempt_id) references operation (project_id, sandbox, id) deferrable initially deferred,
  foreign key (project_id, sandbox, fallback_of) references operation (project_id, sandbox, id),
  foreign key (project_id, sandbox, transaction_id) references transaction (project_id, sandbox, id) deferrable initially deferred,
  constraint operation_outcome check (outcome in ('succeeded', 'failed', 'pending', 'unknown')),
  constraint operation_type check
    (type in ('request', 'three_d_s_check', 'authorization', 'increment_authorization', 'capture', 'void', 'refund', 'chargeback'))
);
-- An attempt has one final result: a second answer of the gateway cannot be recorded twice.
create unique index operation_final_result on operation (attempt_operation_id) where outcome in ('succeeded', 'failed');
create index operation_transaction on operation (transaction_id, position);
create index operation_fallback on operation (fallback_of) where fallback_of is not null;
create index operation_card on operation (card_id) where type = 'authorization' and not is_attempt;
-- Finds the operation that a gateway notification or a line of a gateway's list names.
create index operation_gateway_operation on operation (gateway_configuration_id, gateway_operation_id)
  where type in ('authorization', 'capture', 'refund') and gateway_operation_id is not null;
-- Every result of a project, in the order of exports, and what reconciliations look through.
create index operation_result_list on operation (project_id, sandbox, created_at, id) where not is_attempt;
create index operation_dispute_list on operation (project_id, sandbox, created_at, id) where type = 'chargeback';
-- The newest operations, which are to be counted. An index of this kind costs a payment next to nothing.
create index operation_written_by on operation using brin (written_by) with (autosummarize = on);

-- One comparison of our books with what a gateway has booked: with its own list of a day in UTC, or with a file of it that
-- the merchant hands in.
create table reconciliation (
  id text primary key,
  project_id text not null,
  sandbox boolean not null,
  gateway_configuration_id text not null,
  source text not null check (source in ('list', 'file')),
  day date,
  -- SHA-256 of a file, by which the same one is known that is handed in twice.
  file_hash text check (file_hash ~ '^[0-9a-f]{64}$'),
  status text not null check (status in ('waiting', 'completed')),
  -- Counts who has taken it up. Only the last one may write: another may have been thought dead while it only was slow.
  tries integer not null default 0 check (tries >= 0),
  -- While somebody works on it, nobody else does before this instant.
  next_try_at timestamptz,
  -- Why the last try has failed.
  failure text,
  -- Where the list of the gateway goes on, after what is stored of it.
  list_cursor text,
  is_listed boolean not null default false,
  lines_count integer not null default 0 check (lines_count >= 0),
  differences_count integer not null default 0 check (differences_count >= 0),
  -- What was learned before this instant has been judged as missing, on either side.
  judged_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  completed_at timestamptz,
  unique (project_id, sandbox, id),
  foreign key (project_id, sandbox, gateway_configuration_id) references gateway_configuration (project_id, sandbox, id),
  constraint source_is_one check (case source when 'list' then day is not null and file_hash is null
    else day is null and file_hash is not null end),
  constraint completed_is_whole check ((status = 'completed') = (completed_at is not null)
    and (status = 'completed') = (next_try_at is null) and (status = 'waiting' or judged_until is not null))
);
create index reconciliation_list on reconciliation (project_id, sandbox, created_at, id);
-- A second run of a day, or of a file, is the first one.
create unique index reconciliation_day on reconciliation (gateway_configuration_id, day) where day is not null;
create unique index reconciliation_file on reconciliation (gateway_configuration_id, file_hash) where file_hash is not null;
create index reconciliation_due on reconciliation (next_try_at) where next_try_at is not null;

-- What gateways have booked. A line that is listed again, by the same id, is the same line as it stands by then.
create table settlement_line (
  gateway_configuration_id text not null,
  -- The gateway's.
  id text not null,
  project_id text not null,
  sandbox boolean not null,
  -- That listed it last.
  reconciliation_id text not null,
  type text not null check (type in ('capture', 'refund')),
  state text not null check (state in ('booked', 'reversed')),
  -- Ours, where the gateway repeats it.
  reference text,
  gateway_reference text,
  amount_minor bigint not null check (amount_minor >= 0),
  currency text not null,
  booked_at timestamptz not null,
  primary key (gateway_configuration_id, id),
  foreign key (project_id, sandbox, gateway_configuration_id) references gateway_configuration (project_id, sandbox, id),
  foreign key (project_id, sandbox, reconciliation_id) references reconciliation (project_id, sandbox, id)
);
create index settlement_line_reference on settlement_line (gateway_configuration_id, reference) where reference is not null;
create index settlement_line_gateway_reference on settlement_line (gateway_configuration_id, gateway_reference)
  where gateway_reference is not null;
create index settlement_line_reconciliation on settlement_line (reconciliation_id, id);
create index settlement_line_booked on settlement_line (gateway_configuration_id, booked_at, id);

create table reconciliation_difference (
  id text primary key,
  project_id text not null,
  sandbox boolean not null,
  -- That found it.
  reconciliation_id text not null,
  gateway_configuration_id text not null,
  kind text not null
    check (kind in ('missing-at-gateway', 'missing-in-books', 'amount', 'currency', 'state', 'twice')),
  status text not null check (status in ('open', 'resolved')),
  -- Our side: the attempt, and its payment. Of what only the gateway has, the payment is known where it names an authorization.
  operation_id text,
  transaction_id text,
  type text not null check (type in ('capture', 'refund')),
  our_state text,
  our_amount_minor bigint,
  our_currency text,
  -- The side of the gateway.
  line_id text,
  gateway_reference text,
  gateway_state text,
  gateway_amount_minor bigint,
  gateway_currency text,
  gateway_booked_at timestamptz,
  resolved_at timestamptz,
  -- A person, a key, or the reconciliation that found that it is none any more.
  resolved_by text,
  resolution text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (project_id, sandbox, id),
  foreign key (project_id, sandbox, reconciliation_id) references reconciliation (project_id, sandbox, id),
  foreign key (project_id, sandbox, gateway_configuration_id) references gateway_configuration (project_id, sandbox, id),
  foreign key (project_id, sandbox, transaction_id) references transaction (project_id, sandbox, id),
  constraint difference_has_a_side check (operation_id is not null or line_id is not null),
  constraint resolved_is_whole check (case status when 'open' then num_nonnulls(resolved_at, resolved_by, resolution) = 0
    else num_nonnulls(resolved_at, resolved_by, resolution) = 3 end)
);
create index reconciliation_difference_list on reconciliation_difference (project_id, sandbox, created_at, id);
create index reconciliation_difference_status_list
  on reconciliation_difference (project_id, sandbox, status, created_at, id);
create index reconciliation_difference_open on reconciliation_difference (gateway_configuration_id, id)
  where status = 'open';
-- Found again, it is the same difference, and nothing that somebody has resolved is opened again.
create unique index reconciliation_difference_subject
  on reconciliation_difference (gateway_configuration_id, kind, coalesce(operation_id, line_id));

-- The results of operations by days in UTC, for the charts of the dashboard. A sweep adds the operations that were
-- committed since its last run.
create table payment_day (
  project_id text not null,
  sandbox boolean not null,
  day date not null,
  currency text not null,
  -- Empty for what no gateway was asked for.
  gateway_configuration_id text not null,
  kind text not null check (kind in ('approved', 'declined', 'captured', 'refunded', 'disputed', 'recovered')),
  -- Of declines; otherwise empty.
  error_code text not null,
  -- What fails after all is taken off again, so that a day may be below zero.
  count bigint not null,
  amount_minor bigint not null,
  primary key (project_id, sandbox, day, currency, gateway_configuration_id, kind, error_code)
);

-- One row: which operations are counted. All that were written by older database transactions are.
create table payment_day_progress (
  is_only_row boolean primary key default true check (is_only_row),
  counted_before bigint not null,
  counted_at timestamptz not null
);
insert into payment_day_progress (counted_before, counted_at) values (pg_current_xact_id()::text::bigint, now());

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

create table refund (
  id text primary key,
  project_id text not null,
  sandbox boolean not null,
  transaction_id text not null,
  operation_id text not null unique,
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
  foreign key (project_id, sandbox, operation_id) references operation (project_id, sandbox, id) deferrable initially deferred,
  foreign key (project_id, sandbox, transaction_id) references transaction (project_id, sandbox, id) deferrable initially deferred
);
create index refund_list on refund (project_id, sandbox, transaction_id, created_at, id);
-- All refunds and all disputes of a project, in the order of their lists.
create index refund_project_list on refund (project_id, sandbox, created_at, id);

-- A row for each authorization of the last 30 days, by which routing rules count tries of a card, a customer or an
-- address. A table of its own, so that a customer's address is deleted when no rule may look back to it any more.
create table velocity_record (
  -- The attempt that begins a command; those at other gateways that follow it are of the same payment and card.
  operation_id text primary key,
  project_id text not null,
  sandbox boolean not null,
  invoice_id text not null,
  card_fingerprint text,
  card_iin text,
  customer_id text,
  ip_address text,
  -- Of the payment's clock.
  at timestamptz not null,
  created_at timestamptz not null,
  -- True of an attempt of a client from its beginning on, until its outcome says that it is no failure of the card.
  is_client_failure boolean not null default false,
  foreign key (project_id, sandbox, invoice_id) references invoice (project_id, sandbox, id) on delete cascade
);
-- A count reads its index from the newest entry on, and nothing else.
create index velocity_record_card on velocity_record (project_id, sandbox, card_fingerprint, at) include (invoice_id)
  where card_fingerprint is not null;
create index velocity_record_iin on velocity_record (project_id, sandbox, card_iin, at) include (invoice_id)
  where card_iin is not null;
create index velocity_record_customer on velocity_record (project_id, sandbox, customer_id, at) include (invoice_id)
  where customer_id is not null;
create index velocity_record_address on velocity_record (project_id, sandbox, ip_address, at) include (invoice_id)
  where ip_address is not null;
-- Not on "at", or it would seem a way to the newest entries of one card.
create index velocity_record_age on velocity_record (created_at);
create index velocity_record_invoice on velocity_record (invoice_id);
create index velocity_record_client_card on velocity_record (project_id, sandbox, card_fingerprint, created_at)
  where is_client_failure and card_fingerprint is not null;
create index velocity_record_client_project on velocity_record (project_id, sandbox, created_at) where is_client_failure;

-- What a scheme has said about trying a card again, kept from the decline that said it. How far a block reaches is told
-- by what it leaves open: without a gateway configuration it holds at all of them, without an amount for all amounts.
create table advice_block (
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
create index advice_block_age on advice_block (expires_at);

-- Commands whose caller was told that nothing was done; whoever meets one later leaves it alone. It is written without
-- the lock of the payment, which a foreign key would ask for, and goes after a day.
create table withdrawn_command (
  operation_id text primary key,
  project_id text not null,
  sandbox boolean not null,
  invoice_id text not null,
  created_at timestamptz not null
);
create index withdrawn_command_age on withdrawn_command (created_at);

-- What a command says that must not stand in a workflow history: free text of the merchant. Read with the attempt.
create table command_note (
  operation_id text primary key,
  project_id text not null,
  sandbox boolean not null,
  content jsonb not null,
  created_at timestamptz not null
);
create index command_note_age on command_note (created_at);

-- What a sweep of payments has found overdue, and asked a run to make up for: so that several processes share the work,
-- and what does not get on is asked for later each time. Rows go a day after their last try. No foreign key: it would
-- wait for whoever holds the payment, and with it everything else that is overdue would.
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

-- Notifications of gateways. Each is stored first, and applied once, under the lock of its payment.
create table gateway_notification (
  id bigint generated always as identity primary key,
  project_id text not null,
  sandbox boolean not null,
  gateway_configuration_id text not null,
  gateway_notification_id text not null,
  -- Null until the payment is found that it is about.
  invoice_id text,
  kind text not null,
  reference text,
  -- A gateway may name no sum.
  amount_minor bigint,
  currency text,
  reason text,
  dispute_id text,
  -- Until when the gateway takes evidence in a dispute.
  evidence_due_at timestamptz,
  received_at timestamptz not null,
  applied_at timestamptz,
  -- Of a reported outcome: the type of the call and its outcome, which is null where only a look-up can tell it.
  operation_type text,
  outcome jsonb,
  -- The authorization that it is about, by the gateway's own id.
  gateway_authorization_id text,
  constraint notification_is_stored_once unique (gateway_configuration_id, gateway_notification_id),
  foreign key (project_id, sandbox, gateway_configuration_id) references gateway_configuration (project_id, sandbox, id),
  foreign key (project_id, sandbox, invoice_id) references invoice (project_id, sandbox, id),
  constraint outcome_is_of_a_call check (
    (kind = 'outcome') = (operation_type is not null)
    and (kind <> 'outcome' or reference is not null)
    and (kind = 'outcome' or outcome is null)),
  constraint sum_has_a_currency check ((amount_minor is null) = (currency is null)),
  constraint applied_to_a_payment check (applied_at is null or invoice_id is not null),
  constraint notification_kind check (kind in
    ('outcome', 'authorization-ended', 'refund-failed', 'retrieval-request', 'fraud-notification', 'inquiry-closed',
     'dispute-answered', 'chargeback-created', 'chargeback-won', 'chargeback-lost')),
  constraint ended_names_a_sum check (
    kind <> 'authorization-ended' or (amount_minor is not null and gateway_authorization_id is not null))
);
create index gateway_notification_unapplied on gateway_notification (invoice_id) where applied_at is null;
-- What waits for its payment is few, and is deleted when nobody has asked for it in time.
create index gateway_notification_unclaimed on gateway_notification (received_at) where invoice_id is null;
-- Finds other notifications about the same call, and about the same authorization.
create index gateway_notification_reference on gateway_notification (gateway_configuration_id, reference)
  where reference is not null;
create index gateway_notification_authorization on gateway_notification (gateway_configuration_id, gateway_authorization_id)
  where gateway_authorization_id is not null;
-- The notifications that wait, in the order of their arrival.
create index gateway_notification_waiting on gateway_notification (received_at) where applied_at is null;

-- Notifications of an account that were refused since the last one that was proven, for people to see: a secret that is
-- wrong otherwise shows by payments that stay pending.
create table notification_refusal (
  gateway_configuration_id text primary key,
  project_id text not null,
  sandbox boolean not null,
  reason text not null check (reason in ('no-secret', 'unproven', 'unreadable')),
  times integer not null default 1,
  first_at timestamptz not null,
  last_at timestamptz not null,
  foreign key (project_id, sandbox, gateway_configuration_id) references gateway_configuration (project_id, sandbox, id) on delete cascade
);

-- Events about customers, tokens and cards belong to no transaction.
create table event (
  id text not null,
  project_id text not null,
  sandbox boolean not null,
  name text not null,
  invoice_id text,
  transaction_id text,
  sequence integer,
  -- Kept as text, so that it reads in the order of the interface.
  data json not null,
  fired_at timestamptz not null,
  -- The database transaction that wrote the event, and the place within all events: a list shows an event only
  -- when no older transaction can still commit before it.
  written_by xid8 not null default pg_current_xact_id(),
  position bigint generated always as identity,
  customer_id text,
  -- How often somebody asked for it to be sent again, which numbers the runs of its deliveries.
  resends integer not null default 0,
  -- As of operations.
  primary key (id, project_id, sandbox),
  -- An invoice has one transaction, so that no two events of a transaction have one place.
  unique (invoice_id, sequence),
  foreign key (project_id, sandbox, transaction_id) references transaction (project_id, sandbox, id) deferrable initially deferred,
  constraint sequence_counts_the_events_of_a_transaction check ((transaction_id is null) = (sequence is null)),
  constraint the_event_of_a_transaction_has_its_invoice check (transaction_id is null or invoice_id is not null),
  foreign key (project_id, sandbox, customer_id) references customer (project_id, sandbox, id) deferrable initially deferred
);
create index event_order on event (project_id, sandbox, written_by, position);
create index event_customer on event (customer_id) where customer_id is not null;
-- The events of one name, in the order of the list of events.
create index event_name_order on event (project_id, sandbox, name, written_by, position);
-- What happened within a time is looked for rarely, and an index of this kind costs a payment next to nothing.
create index event_fired_at on event using brin (fired_at);

-- Where a project wants its events to go, beside the URLs of single invoices.
create table webhook_endpoint (
  id text primary key,
  project_id text not null references project,
  sandbox boolean not null,
  url text not null,
  description text,
  -- Null takes all events.
  events_whitelist text[],
  enabled boolean not null,
  disabled_reason text check (disabled_reason in ('merchant', 'gone', 'failing')),
  disabled_at timestamptz,
  sign_with_ed25519 boolean not null,
  -- Since when nothing was accepted, without a pause that would make the failures sporadic.
  failing_since timestamptz,
  last_failure_at timestamptz,
  -- Answers 410 in a row.
  gone_count integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  unique (project_id, sandbox, id),
  constraint disabled_for_a_reason check (enabled = (disabled_reason is null) and enabled = (disabled_at is null))
);
create index webhook_endpoint_list on webhook_endpoint (project_id, sandbox, created_at, id) where deleted_at is null;
-- Asked in every database transaction that fires an event.
create index webhook_endpoint_enabled on webhook_endpoint (project_id, sandbox) where enabled and deleted_at is null;

-- What the webhooks to an endpoint are signed with: the current secret of each scheme, and the one before it until it
-- ends.
create table webhook_secret (
  id text primary key,
  project_id text not null,
  sandbox boolean not null,
  endpoint_id text not null,
  scheme text not null check (scheme in ('hmac', 'ed25519')),
  ciphertext bytea not null,
  key_id text not null,
  -- Of a key pair, what receivers verify with; no secret, so that showing it opens none.
  public_key text,
  created_at timestamptz not null,
  -- Null while it is the current one.
  expires_at timestamptz,
  foreign key (project_id, sandbox, endpoint_id) references webhook_endpoint (project_id, sandbox, id)
);
create unique index webhook_secret_current on webhook_secret (endpoint_id, scheme) where expires_at is null;
create index webhook_secret_endpoint on webhook_secret (endpoint_id);

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
  -- Null where the target is the URL of the invoice or token.
  endpoint_id text,
  -- 0 for the first sending, n for the nth that was asked for.
  run integer not null default 0,
  -- Since when it waits for its first attempt of this run.
  queued_at timestamptz not null,
  unique (project_id, sandbox, id),
  foreign key (project_id, sandbox, event_id) references event (project_id, sandbox, id) deferrable initially deferred,
  constraint delivery_once_for_each_target unique nulls not distinct (event_id, endpoint_id, target_url),
  foreign key (project_id, sandbox, endpoint_id) references webhook_endpoint (project_id, sandbox, id)
);
create index delivery_event_list on delivery (project_id, sandbox, event_id, created_at, id);
-- What a sweep starts, because nobody began it or nobody goes on with it.
create index delivery_not_begun on delivery (queued_at, id) where status = 'pending' and first_attempt_at is null;
create index delivery_due on delivery (release_at, id) where status = 'pending' and release_at is not null;
-- The list of what was sent to an endpoint.
create index delivery_endpoint_list on delivery (project_id, sandbox, endpoint_id, created_at, id)
  where endpoint_id is not null;
-- What is on its way to an endpoint, or did not arrive: some of many. What is pending ends with an endpoint that is deleted.
create index delivery_endpoint_undelivered on delivery (project_id, sandbox, endpoint_id, status, created_at, id)
  where status <> 'delivered' and endpoint_id is not null;
-- What is not delivered, to any address: `undelivered.ts` has the same condition. It holds of no delivery that is accepted at
-- the first try, so that such a delivery, as nearly all are, is never written here.
create index delivery_undelivered on delivery (project_id, sandbox, created_at, id, status)
  where status = 'failed' or (status = 'pending' and (release_at is not null or run > 0));
-- The same of one status: a few that wait may lie among very many that were given up, or the other way round.
create index delivery_undelivered_status on delivery (project_id, sandbox, status, created_at, id)
  where status = 'failed' or (status = 'pending' and (release_at is not null or run > 0));
-- "Did this target accept its last webhook?" is asked before every first attempt.
create index delivery_target
  on delivery (project_id, sandbox, split_part(target_url, '/', 3), coalesce(endpoint_id, ''), first_attempt_at desc)
  where first_attempt_at is not null;

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
  run integer not null default 0,
  request_url text,
  response_body text,
  response_headers jsonb,
  foreign key (project_id, sandbox, delivery_id) references delivery (project_id, sandbox, id),
  unique (delivery_id, run, attempt)
);
create index delivery_attempt_age on delivery_attempt (started_at);

-- The audit log: every change of money state and every administrative act, in chains that only grow. docs/audit.md says
-- what it proves. Triggers write it, so that no code path can forget it and no statement of ours is one more for it.
create sequence audit_entry_number;
create table audit_entry (
  -- In the order of writing, with gaps where a change was rolled back.
  number bigint primary key,
  -- The id of a transaction, `project <id>` for administrative acts on a project, `service` for those on everything.
  chain text not null,
  position integer not null check (position > 0),
  project_id text check (project_id <> ''),
  sandbox boolean,
  kind text not null,
  actor text not null,
  -- JSON, kept as the very text that was hashed.
  facts text not null,
  -- Text for the same reason: UTC, to the microsecond.
  occurred_at text not null,
  -- Null on the first entry of a chain.
  previous_hash bytea,
  hash bytea not null,
  unique (chain, position),
  -- The fields are hashed with line ends between them.
  constraint fields_are_lines check (
    strpos(chain, E'\n') = 0 and strpos(coalesce(project_id, ''), E'\n') = 0 and strpos(kind, E'\n') = 0
    and strpos(actor, E'\n') = 0),
  constraint only_the_first_follows_nothing check ((position = 1) = (previous_hash is null))
);

-- The entries that wait for the next checkpoint. One that is committed late is covered late, whatever its number.
create table audit_waiting (
  number bigint not null
);

-- A checkpoint is an HMAC under a key that is not in the database. A person who can write here cannot make one.
create table audit_checkpoint (
  -- Null for the acts that concern no project.
  project_id text,
  number integer not null check (number > 0),
  previous_hash bytea,
  -- The numbers of the entries that it covers, in ascending order.
  entries bigint[] not null check (cardinality(entries) > 0),
  made_at text not null,
  hash bytea not null,
  unique nulls not distinct (project_id, number),
  constraint only_the_first_checkpoint_follows_nothing check ((number = 1) = (previous_hash is null))
);

-- The simulator's own ledger, as if it were another company's: nothing here refers to our tables and nothing of ours refers
-- to these, so that tests can compare ours with it. No card number is kept; of one whose holder is waited for, the last four
-- digits are, until the authorization is decided.
create schema simulator;

-- One row per reference ever asked with; asked again, it is counted and done no second time.
create table simulator.request (
  reference text primary key,
  type text not null,
  invoice_id text not null,
  gateway_authorization_id text,
  amount_minor bigint not null,
  currency text not null,
  -- Which story of the test cards was played; null for a card that is none of them.
  scenario text,
  -- What really happened, also where the answer was lost on its way. While the customer is waited for: the action.
  outcome jsonb not null,
  asked_at timestamptz not null,
  times_asked integer not null default 1 check (times_asked > 0),
  gateway_configuration_id text not null,
  is_final boolean,
  -- How the answer fared; null where it arrived.
  delivery text check (delivery in ('lost', 'late', 'never-resolved')),
  -- What a pending outcome becomes; kept when it has.
  later jsonb,
  looked_up integer not null default 0 check (looked_up >= 0),
  -- When the money was booked, for the list of a day; null of what moved none.
  booked_at timestamptz,
  constraint request_type check (type in ('authorization', 'increment_authorization', 'capture', 'void', 'refund'))
);
create index request_booked on simulator.request (gateway_configuration_id, booked_at, reference)
  where booked_at is not null;

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
  gateway_configuration_id text not null,
  failed_captures integer not null default 0 check (failed_captures >= 0),
  -- Money of captures and refunds whose outcome is pending.
  capturing_minor bigint not null default 0 check (capturing_minor >= 0),
  refunding_minor bigint not null default 0 check (refunding_minor >= 0),
  refunded_minor bigint not null default 0 check (refunded_minor >= 0),
  constraint never_more_than_authorized check (captured_minor + capturing_minor + voided_minor <= authorized_minor),
  constraint never_more_than_captured check (refunded_minor + refunding_minor <= captured_minor)
);

-- Authorizations that wait for their customer, or have waited: what the bank knows of them.
create table simulator.waiting_authorization (
  reference text primary key references simulator.request,
  -- How the customer is authenticated, and what the bank has learned of the device.
  plan jsonb not null,
  learned jsonb not null,
  -- What becomes of the authorization once the customer is authenticated.
  result jsonb not null,
  incremental boolean not null,
  return_url text not null,
  shop text,
  card_ending text
);

-- What the customer is asked for, one after the other. The id of a step is the address of its page.
create table simulator.customer_step (
  id text primary key,
  reference text not null references simulator.waiting_authorization,
  type text not null,
  acs_trans_id text not null,
  expires_at timestamptz not null,
  wrong_codes integer not null default 0 check (wrong_codes between 0 and 3),
  -- What happened on the page; null before.
  answer text check (answer in ('completed', 'passed', 'failed', 'canceled')),
  constraint customer_step_type check (
    type in ('fingerprint', 'redirect', 'url', 'fingerprint-mobile', 'challenge-mobile')
  )
);
create index customer_step_reference on simulator.customer_step (reference);

-- Cards that behave otherwise from their second use on. Scenario and expiry date stand for the card.
create table simulator.used_card (
  scenario text not null,
  expiry text not null,
  first_reference text not null,
  gateway_configuration_id text not null,
  primary key (gateway_configuration_id, scenario, expiry)
);

-- Notifications that the simulator sends, written with the step that they follow from. Each is delivered at least once,
-- the oldest first.
create table simulator.notification (
  id text primary key,
  gateway_configuration_id text not null,
  invoice_id text not null,
  kind text not null,
  reference text,
  amount_minor bigint not null,
  currency text not null,
  reason text,
  evidence_due_at timestamptz,
  due_at timestamptz not null,
  -- While somebody delivers it, nobody else does; after this instant somebody else may.
  taken_until timestamptz,
  attempts integer not null default 0,
  delivered_at timestamptz,
  gateway_authorization_id text,
  copies integer not null default 1 check (copies between 1 and 2)
);
create index notification_due on simulator.notification (due_at) where delivered_at is null;
