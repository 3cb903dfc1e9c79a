-- The schema as the migrations and sql/functions leave it, written by `npm run schema` from the catalog of PostgreSQL, to
-- be read: what it is for is told where it is made. A test fails where it is not current.

create domain requests_a_minute as integer CHECK (VALUE >= 1 AND VALUE <= 600000);

create sequence audit_entry_number;

create table active_rule_set (
  project_id text not null,
  sandbox boolean not null,
  rule_set_id text not null,
  activated_at timestamp with time zone not null,
  id text generated always as ((project_id ||
CASE
    WHEN sandbox THEN '/sandbox'::text
    ELSE '/live'::text
END)) stored not null,
  constraint active_rule_set_pkey PRIMARY KEY (project_id, sandbox),
  constraint active_rule_set_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id),
  constraint active_rule_set_project_id_sandbox_rule_set_id_fkey FOREIGN KEY (project_id, sandbox, rule_set_id) REFERENCES rule_set(project_id, sandbox, id)
);
CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE OF id, project_id, sandbox, rule_set_id ON active_rule_set FOR EACH ROW EXECUTE FUNCTION audit_settings();

create table advice_block (
  project_id text not null,
  sandbox boolean not null,
  card_fingerprint text not null,
  gateway_configuration_id text,
  amount_minor bigint,
  currency text,
  code text not null,
  network text not null,
  source_operation_id text not null,
  created_at timestamp with time zone not null,
  extended_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint advice_block_project_id_sandbox_card_fingerprint_gateway_co_key UNIQUE NULLS NOT DISTINCT (project_id, sandbox, card_fingerprint, gateway_configuration_id, amount_minor, currency),
  constraint advice_block_project_id_sandbox_gateway_configuration_id_fkey FOREIGN KEY (project_id, sandbox, gateway_configuration_id) REFERENCES gateway_configuration(project_id, sandbox, id),
  constraint advice_block_project_id_sandbox_source_operation_id_fkey FOREIGN KEY (project_id, sandbox, source_operation_id) REFERENCES operation(project_id, sandbox, id) DEFERRABLE INITIALLY DEFERRED,
  constraint advice_block_amount_minor_check CHECK (amount_minor >= 0),
  constraint advice_block_network_check CHECK (network = ANY (ARRAY['mastercard'::text, 'visa'::text])),
  constraint amounts_have_a_currency CHECK ((amount_minor IS NULL) = (currency IS NULL)),
  constraint gateways_bar_amounts CHECK (gateway_configuration_id IS NULL OR amount_minor IS NOT NULL)
);
CREATE INDEX advice_block_age ON advice_block USING btree (expires_at);

create table api_key (
  id text not null,
  project_id text not null,
  sandbox boolean not null,
  secret_hash text not null,
  revoked_at timestamp with time zone,
  created_at timestamp with time zone not null,
  name text,
  permissions text[] default '{read,payments,refunds,configuration,webhooks}'::text[] not null,
  secret_ending text,
  last_used_at timestamp with time zone,
  constraint api_key_pkey PRIMARY KEY (id),
  constraint api_key_secret_hash_key UNIQUE (secret_hash),
  constraint api_key_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id),
  constraint api_key_permissions_check CHECK (permissions <@ '{read,payments,refunds,configuration,webhooks}'::text[])
);
CREATE INDEX api_key_project ON api_key USING btree (project_id);
CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE OF id, project_id, sandbox, permissions, revoked_at, secret_hash ON api_key FOR EACH ROW EXECUTE FUNCTION audit_settings();

create table api_request (
  id text not null,
  project_id text not null,
  sandbox boolean not null,
  request_id text not null,
  method text not null,
  path text not null,
  query jsonb,
  status integer not null,
  error_type text,
  has_idempotency_key boolean not null,
  ip text,
  user_agent text,
  api_version text,
  latency_ms integer not null,
  request_body jsonb,
  response_body text,
  created_at timestamp with time zone not null,
  api_key_id text,
  person_id text,
  constraint api_request_pkey PRIMARY KEY (id),
  constraint api_request_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id),
  constraint api_request_latency_ms_check CHECK (latency_ms >= 0),
  constraint api_request_status_check CHECK (status >= 100 AND status <= 599)
);
CREATE INDEX api_request_age ON api_request USING btree (created_at);
CREATE INDEX api_request_error_list ON api_request USING btree (project_id, sandbox, error_type, created_at, id) WHERE error_type IS NOT NULL;
CREATE INDEX api_request_list ON api_request USING btree (project_id, sandbox, created_at, id);
CREATE INDEX api_request_method_list ON api_request USING btree (project_id, sandbox, method, created_at, id);
CREATE INDEX api_request_name ON api_request USING btree (hashtextextended((project_id || ' '::text) || request_id, 0::bigint));
CREATE INDEX api_request_path ON api_request USING btree (hashtextextended((project_id || ' '::text) || path, 0::bigint));
CREATE INDEX api_request_refused_list ON api_request USING btree (project_id, sandbox, created_at, id, status) INCLUDE (method, path) WHERE status >= 400;

create table applied_sql (
  name text not null,
  hash text not null,
  applied_at timestamp with time zone not null,
  version text not null,
  constraint applied_sql_pkey PRIMARY KEY (name)
);

create table audit_checkpoint (
  project_id text,
  number integer not null,
  previous_hash bytea,
  entries bigint[] not null,
  made_at text not null,
  hash bytea not null,
  constraint audit_checkpoint_project_id_number_key UNIQUE NULLS NOT DISTINCT (project_id, number),
  constraint audit_checkpoint_entries_check CHECK (cardinality(entries) > 0),
  constraint audit_checkpoint_number_check CHECK (number > 0),
  constraint only_the_first_checkpoint_follows_nothing CHECK ((number = 1) = (previous_hash IS NULL))
);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_checkpoint FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_audit();

create table audit_entry (
  number bigint not null,
  chain text not null,
  "position" integer not null,
  project_id text,
  sandbox boolean,
  kind text not null,
  actor text not null,
  facts text not null,
  occurred_at text not null,
  previous_hash bytea,
  hash bytea not null,
  constraint audit_entry_pkey PRIMARY KEY (number),
  constraint audit_entry_chain_position_key UNIQUE (chain, "position"),
  constraint audit_entry_position_check CHECK ("position" > 0),
  constraint audit_entry_project_id_check CHECK (project_id <> ''::text),
  constraint fields_are_lines CHECK (strpos(chain, '
'::text) = 0 AND strpos(COALESCE(project_id, ''::text), '
'::text) = 0 AND strpos(kind, '
'::text) = 0 AND strpos(actor, '
'::text) = 0),
  constraint only_the_first_follows_nothing CHECK (("position" = 1) = (previous_hash IS NULL))
);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_audit();

create table audit_waiting (
  number bigint not null
);

create table card (
  id text not null,
  project_id text not null,
  sandbox boolean not null,
  scheme text not null,
  co_scheme text,
  preferred_scheme text,
  type text,
  country_code text,
  iin text not null,
  last4_digits text not null,
  fingerprint text not null,
  exp_month integer not null,
  exp_year integer not null,
  name text,
  checks jsonb,
  metadata jsonb not null,
  number_ciphertext bytea,
  number_key_id text,
  used_by_invoice_id text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  address1 text,
  address2 text,
  city text,
  state text,
  zip text,
  billing_country_code text,
  bank_name text,
  brand text,
  category text,
  token_type text,
  tokenization_method text,
  cvc_tokenized boolean default false not null,
  has_been_authorized boolean default false not null,
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
  deleted_at timestamp with time zone,
  expiry_announced integer,
  number_erased_at timestamp with time zone,
  constraint card_pkey PRIMARY KEY (id),
  constraint card_project_id_sandbox_id_key UNIQUE (project_id, sandbox, id),
  constraint card_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id),
  constraint card_project_id_sandbox_used_by_token_id_fkey FOREIGN KEY (project_id, sandbox, used_by_token_id) REFERENCES customer_token(project_id, sandbox, id) DEFERRABLE INITIALLY DEFERRED,
  constraint card_category_check CHECK (category = ANY (ARRAY['consumer'::text, 'commercial'::text])),
  constraint card_exp_month_check CHECK (exp_month >= 1 AND exp_month <= 12),
  constraint number_goes_once CHECK (
CASE
    WHEN deleted_at IS NULL AND number_erased_at IS NULL THEN number_ciphertext IS NOT NULL AND number_key_id IS NOT NULL
    ELSE number_ciphertext IS NULL AND number_key_id IS NULL
END)
);
CREATE INDEX card_expiry_untold ON card USING btree (exp_year, exp_month, id) WHERE used_by_token_id IS NOT NULL AND deleted_at IS NULL AND expiry_announced IS DISTINCT FROM (exp_year * 100 + exp_month);
CREATE INDEX card_fingerprint ON card USING btree (project_id, sandbox, fingerprint);
CREATE INDEX card_holder ON card USING btree (project_id, sandbox, search_text(name)) WHERE name IS NOT NULL;
CREATE INDEX card_holder_last_word ON card USING btree (project_id, sandbox, search_text("substring"(name, '\S+$'::text))) WHERE name IS NOT NULL;
CREATE INDEX card_last4 ON card USING btree (project_id, sandbox, last4_digits);
CREATE INDEX card_list ON card USING btree (project_id, sandbox, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX card_number_age ON card USING btree (created_at, id) WHERE number_ciphertext IS NOT NULL AND used_by_token_id IS NULL;
CREATE INDEX card_number_key ON card USING btree (number_key_id, id) WHERE number_ciphertext IS NOT NULL;

create table card_security_code (
  card_id text not null,
  project_id text not null,
  sandbox boolean not null,
  ciphertext bytea not null,
  key_id text not null,
  expires_at timestamp with time zone not null,
  constraint card_security_code_pkey PRIMARY KEY (card_id),
  constraint card_security_code_project_id_sandbox_card_id_fkey FOREIGN KEY (project_id, sandbox, card_id) REFERENCES card(project_id, sandbox, id) ON DELETE CASCADE
);
CREATE INDEX card_security_code_expiry ON card_security_code USING btree (expires_at);

create table command_note (
  operation_id text not null,
  project_id text not null,
  sandbox boolean not null,
  content jsonb not null,
  created_at timestamp with time zone not null,
  constraint command_note_pkey PRIMARY KEY (operation_id)
);
CREATE INDEX command_note_age ON command_note USING btree (created_at);

create table customer (
  id text not null,
  project_id text not null,
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
  sex text,
  date_of_birth timestamp with time zone,
  is_business boolean not null,
  currency text,
  balance_minor bigint not null,
  metadata jsonb not null,
  reference_id text,
  registered_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint customer_pkey PRIMARY KEY (id),
  constraint customer_project_id_sandbox_id_key UNIQUE (project_id, sandbox, id),
  constraint customer_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id),
  constraint customer_project_id_sandbox_id_default_token_id_fkey FOREIGN KEY (project_id, sandbox, id, default_token_id) REFERENCES customer_token(project_id, sandbox, customer_id, id) DEFERRABLE INITIALLY DEFERRED,
  constraint balance_has_a_currency CHECK (balance_minor = 0 OR currency IS NOT NULL),
  constraint customer_sex_check CHECK (sex = ANY (ARRAY['male'::text, 'female'::text])),
  constraint deleted_customer_is_nobody CHECK (deleted_at IS NULL OR default_token_id IS NULL AND email IS NULL AND first_name IS NULL AND last_name IS NULL AND address1 IS NULL AND address2 IS NULL AND city IS NULL AND state IS NULL AND zip IS NULL AND country_code IS NULL AND phone_number IS NULL AND phone_dialing_code IS NULL AND legal_document IS NULL AND ip_address IS NULL AND sex IS NULL AND date_of_birth IS NULL AND reference_id IS NULL AND metadata = '{}'::jsonb)
);
CREATE INDEX customer_email ON customer USING btree (project_id, sandbox, search_text(email)) WHERE deleted_at IS NULL;
CREATE INDEX customer_last_name ON customer USING btree (project_id, sandbox, search_text(last_name)) WHERE deleted_at IS NULL AND last_name IS NOT NULL;
CREATE INDEX customer_list ON customer USING btree (project_id, sandbox, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX customer_name ON customer USING btree (project_id, sandbox, search_text(COALESCE(first_name || ' '::text, ''::text) || COALESCE(last_name, ''::text))) WHERE deleted_at IS NULL;
CREATE INDEX customer_reference ON customer USING btree (project_id, sandbox, reference_id) WHERE deleted_at IS NULL AND reference_id IS NOT NULL;

create table customer_token (
  id text not null,
  project_id text not null,
  sandbox boolean not null,
  customer_id text not null,
  card_id text,
  invoice_id text,
  gateway_configuration_id text,
  gateway_token text,
  type text not null,
  is_chargeable boolean not null,
  is_subscription_only boolean not null,
  summary text,
  description text,
  verification_status text not null,
  scheme_transaction_ids jsonb default '{}'::jsonb not null,
  return_url text,
  cancel_url text,
  webhook_url text,
  manual_invoice_cancellation boolean not null,
  metadata jsonb not null,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  preferred_scheme text,
  constraint customer_token_pkey PRIMARY KEY (id),
  constraint customer_token_project_id_sandbox_customer_id_id_key UNIQUE (project_id, sandbox, customer_id, id),
  constraint customer_token_project_id_sandbox_id_key UNIQUE (project_id, sandbox, id),
  constraint customer_token_project_id_sandbox_card_id_fkey FOREIGN KEY (project_id, sandbox, card_id) REFERENCES card(project_id, sandbox, id) DEFERRABLE INITIALLY DEFERRED,
  constraint customer_token_project_id_sandbox_customer_id_fkey FOREIGN KEY (project_id, sandbox, customer_id) REFERENCES customer(project_id, sandbox, id) DEFERRABLE INITIALLY DEFERRED,
  constraint customer_token_project_id_sandbox_gateway_configuration_id_fkey FOREIGN KEY (project_id, sandbox, gateway_configuration_id) REFERENCES gateway_configuration(project_id, sandbox, id) DEFERRABLE INITIALLY DEFERRED,
  constraint customer_token_project_id_sandbox_invoice_id_fkey FOREIGN KEY (project_id, sandbox, invoice_id) REFERENCES invoice(project_id, sandbox, id) DEFERRABLE INITIALLY DEFERRED,
  constraint card_token_has_a_card CHECK ((type = 'card'::text) = (card_id IS NOT NULL)),
  constraint customer_token_type_check CHECK (type = ANY (ARRAY['card'::text, 'gateway_token'::text, 'bank_account'::text, 'pending'::text])),
  constraint customer_token_verification_status_check CHECK (verification_status = ANY (ARRAY['success'::text, 'pending'::text, 'failed'::text, 'not-requested'::text, 'unknown'::text])),
  constraint gateway_token_has_a_name CHECK (type <> 'gateway_token'::text OR gateway_token IS NOT NULL)
);
CREATE UNIQUE INDEX customer_token_card ON customer_token USING btree (card_id) WHERE card_id IS NOT NULL;
CREATE INDEX customer_token_list ON customer_token USING btree (project_id, sandbox, customer_id, created_at, id) WHERE deleted_at IS NULL;

create table delivery (
  id text not null,
  project_id text not null,
  sandbox boolean not null,
  event_id text not null,
  target_url text not null,
  status text not null,
  first_attempt_at timestamp with time zone,
  release_at timestamp with time zone,
  ended_at timestamp with time zone,
  created_at timestamp with time zone not null,
  endpoint_id text,
  run integer default 0 not null,
  queued_at timestamp with time zone not null,
  constraint delivery_pkey PRIMARY KEY (id),
  constraint delivery_once_for_each_target UNIQUE NULLS NOT DISTINCT (event_id, endpoint_id, target_url),
  constraint delivery_project_id_sandbox_id_key UNIQUE (project_id, sandbox, id),
  constraint delivery_project_id_sandbox_endpoint_id_fkey FOREIGN KEY (project_id, sandbox, endpoint_id) REFERENCES webhook_endpoint(project_id, sandbox, id),
  constraint delivery_project_id_sandbox_event_id_fkey FOREIGN KEY (project_id, sandbox, event_id) REFERENCES event(project_id, sandbox, id) DEFERRABLE INITIALLY DEFERRED,
  constraint delivery_status_check CHECK (status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text]))
);
CREATE INDEX delivery_due ON delivery USING btree (release_at, id) WHERE status = 'pending'::text AND release_at IS NOT NULL;
CREATE INDEX delivery_endpoint_list ON delivery USING btree (project_id, sandbox, endpoint_id, created_at, id) WHERE endpoint_id IS NOT NULL;
CREATE INDEX delivery_endpoint_undelivered ON delivery USING btree (project_id, sandbox, endpoint_id, status, created_at, id) WHERE status <> 'delivered'::text AND endpoint_id IS NOT NULL;
CREATE INDEX delivery_event_list ON delivery USING btree (project_id, sandbox, event_id, created_at, id);
CREATE INDEX delivery_not_begun ON delivery USING btree (queued_at, id) WHERE status = 'pending'::text AND first_attempt_at IS NULL;
CREATE INDEX delivery_target ON delivery USING btree (project_id, sandbox, split_part(target_url, '/'::text, 3), COALESCE(endpoint_id, ''::text), first_attempt_at DESC) WHERE first_attempt_at IS NOT NULL;
CREATE INDEX delivery_undelivered ON delivery USING btree (project_id, sandbox, created_at, id, status) WHERE status = 'failed'::text OR status = 'pending'::text AND (release_at IS NOT NULL OR run > 0);
CREATE INDEX delivery_undelivered_status ON delivery USING btree (project_id, sandbox, status, created_at, id) WHERE status = 'failed'::text OR status = 'pending'::text AND (release_at IS NOT NULL OR run > 0);

create table delivery_attempt (
  id text not null,
  project_id text not null,
  sandbox boolean not null,
  delivery_id text not null,
  attempt integer not null,
  response_code integer,
  failure_reason text,
  response_time_ms integer not null,
  started_at timestamp with time zone not null,
  run integer default 0 not null,
  request_url text,
  response_body text,
  response_headers jsonb,
  constraint delivery_attempt_pkey PRIMARY KEY (id),
  constraint delivery_attempt_delivery_id_run_attempt_key UNIQUE (delivery_id, run, attempt),
  constraint delivery_attempt_project_id_sandbox_delivery_id_fkey FOREIGN KEY (project_id, sandbox, delivery_id) REFERENCES delivery(project_id, sandbox, id)
);
CREATE INDEX delivery_attempt_age ON delivery_attempt USING btree (started_at);

create table event (
  id text not null,
  project_id text not null,
  sandbox boolean not null,
  name text not null,
  invoice_id text,
  transaction_id text,
  sequence integer,
  data json not null,
  fired_at timestamp with time zone not null,
  written_by xid8 default pg_current_xact_id() not null,
  "position" bigint generated always as identity not null,
  customer_id text,
  resends integer default 0 not null,
  constraint event_pkey PRIMARY KEY (id, project_id, sandbox),
  constraint event_invoice_id_sequence_key UNIQUE (invoice_id, sequence),
  constraint event_project_id_sandbox_customer_id_fkey FOREIGN KEY (project_id, sandbox, customer_id) REFERENCES customer(project_id, sandbox, id) DEFERRABLE INITIALLY DEFERRED,
  constraint event_project_id_sandbox_transaction_id_fkey FOREIGN KEY (project_id, sandbox, transaction_id) REFERENCES transaction(project_id, sandbox, id) DEFERRABLE INITIALLY DEFERRED,
  constraint sequence_counts_the_events_of_a_transaction CHECK ((transaction_id IS NULL) = (sequence IS NULL)),
  constraint the_event_of_a_transaction_has_its_invoice CHECK (transaction_id IS NULL OR invoice_id IS NOT NULL)
);
CREATE INDEX event_customer ON event USING btree (customer_id) WHERE customer_id IS NOT NULL;
CREATE INDEX event_fired_at ON event USING brin (fired_at);
CREATE INDEX event_name_order ON event USING btree (project_id, sandbox, name, written_by, "position");
CREATE INDEX event_order ON event USING btree (project_id, sandbox, written_by, "position");

create table external_authentication (
  operation_id text not null,
  project_id text not null,
  sandbox boolean not null,
  ciphertext bytea not null,
  key_id text not null,
  expires_at timestamp with time zone not null,
  constraint external_authentication_pkey PRIMARY KEY (operation_id),
  constraint external_authentication_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id)
);
CREATE INDEX external_authentication_expiry ON external_authentication USING btree (expires_at);

create table gateway_circuit (
  project_id text not null,
  sandbox boolean not null,
  gateway_configuration_id text not null,
  process text not null,
  state text not null,
  reason text not null,
  changed_at timestamp with time zone not null,
  constraint gateway_circuit_pkey PRIMARY KEY (gateway_configuration_id, process),
  constraint gateway_circuit_project_id_sandbox_gateway_configuration_i_fkey FOREIGN KEY (project_id, sandbox, gateway_configuration_id) REFERENCES gateway_configuration(project_id, sandbox, id) ON DELETE CASCADE,
  constraint gateway_circuit_state_check CHECK (state = ANY (ARRAY['closed'::text, 'open'::text, 'half-open'::text]))
);

create table gateway_configuration (
  id text not null,
  project_id text not null,
  sandbox boolean not null,
  gateway_name text not null,
  name text not null,
  enabled boolean not null,
  default_preferred_scheme text,
  created_at timestamp with time zone not null,
  capabilities jsonb default '{}'::jsonb not null,
  authorization_validity jsonb default '[]'::jsonb not null,
  updated_at timestamp with time zone default now() not null,
  draining_since timestamp with time zone,
  credentials_ciphertext bytea,
  credentials_key_id text,
  credentials_hash text,
  credentials_set_at jsonb default '{}'::jsonb not null,
  settings jsonb default '{}'::jsonb not null,
  default_currency text,
  processing_region text,
  merchant_account_country_code text,
  metadata jsonb default '{}'::jsonb not null,
  enabled_at timestamp with time zone,
  deleted_at timestamp with time zone,
  account_version integer default 1 not null,
  constraint gateway_configuration_pkey PRIMARY KEY (id),
  constraint gateway_configuration_project_id_sandbox_id_key UNIQUE (project_id, sandbox, id),
  constraint gateway_configuration_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id),
  constraint credentials_are_whole CHECK ((credentials_ciphertext IS NULL) = (credentials_key_id IS NULL) AND (credentials_ciphertext IS NULL) = (credentials_hash IS NULL) AND (credentials_ciphertext IS NOT NULL OR credentials_set_at = '{}'::jsonb)),
  constraint deleted_takes_nothing_new CHECK (deleted_at IS NULL OR NOT enabled),
  constraint gateway_configuration_credentials_hash_check CHECK (credentials_hash ~ '^[0-9a-f]{64}$'::text),
  constraint simulator_is_sandbox_only CHECK (gateway_name <> 'simulator'::text OR sandbox)
);
CREATE INDEX gateway_configuration_list ON gateway_configuration USING btree (project_id, sandbox, created_at, id);
CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE OF id, project_id, sandbox, gateway_name, enabled, default_preferred_scheme, capabilities, authorization_validity, settings, default_currency, processing_region, merchant_account_country_code, draining_since, deleted_at, credentials_hash ON gateway_configuration FOR EACH ROW EXECUTE FUNCTION audit_settings();

create table gateway_notification (
  id bigint generated always as identity not null,
  project_id text not null,
  sandbox boolean not null,
  gateway_configuration_id text not null,
  gateway_notification_id text not null,
  invoice_id text,
  kind text not null,
  reference text,
  amount_minor bigint,
  currency text,
  reason text,
  dispute_id text,
  evidence_due_at timestamp with time zone,
  received_at timestamp with time zone not null,
  applied_at timestamp with time zone,
  operation_type text,
  outcome jsonb,
  gateway_authorization_id text,
  constraint gateway_notification_pkey PRIMARY KEY (id),
  constraint notification_is_stored_once UNIQUE (gateway_configuration_id, gateway_notification_id),
  constraint gateway_notification_project_id_sandbox_gateway_configurat_fkey FOREIGN KEY (project_id, sandbox, gateway_configuration_id) REFERENCES gateway_configuration(project_id, sandbox, id),
  constraint gateway_notification_project_id_sandbox_invoice_id_fkey FOREIGN KEY (project_id, sandbox, invoice_id) REFERENCES invoice(project_id, sandbox, id),
  constraint applied_to_a_payment CHECK (applied_at IS NULL OR invoice_id IS NOT NULL),
  constraint ended_names_a_sum CHECK (kind <> 'authorization-ended'::text OR amount_minor IS NOT NULL AND gateway_authorization_id IS NOT NULL),
  constraint notification_kind CHECK (kind = ANY (ARRAY['outcome'::text, 'authorization-ended'::text, 'refund-failed'::text, 'retrieval-request'::text, 'fraud-notification'::text, 'inquiry-closed'::text, 'dispute-answered'::text, 'chargeback-created'::text, 'chargeback-won'::text, 'chargeback-lost'::text])),
  constraint outcome_is_of_a_call CHECK ((kind = 'outcome'::text) = (operation_type IS NOT NULL) AND (kind <> 'outcome'::text OR reference IS NOT NULL) AND (kind = 'outcome'::text OR outcome IS NULL)),
  constraint sum_has_a_currency CHECK ((amount_minor IS NULL) = (currency IS NULL))
);
CREATE INDEX gateway_notification_authorization ON gateway_notification USING btree (gateway_configuration_id, gateway_authorization_id) WHERE gateway_authorization_id IS NOT NULL;
CREATE INDEX gateway_notification_reference ON gateway_notification USING btree (gateway_configuration_id, reference) WHERE reference IS NOT NULL;
CREATE INDEX gateway_notification_unapplied ON gateway_notification USING btree (invoice_id) WHERE applied_at IS NULL;
CREATE INDEX gateway_notification_unclaimed ON gateway_notification USING btree (received_at) WHERE invoice_id IS NULL;
CREATE INDEX gateway_notification_waiting ON gateway_notification USING btree (received_at) WHERE applied_at IS NULL;

create table idempotency_key (
  id text not null,
  project_id text not null,
  sandbox boolean not null,
  request_hash text not null,
  operation_id text,
  status integer,
  body text,
  created_at timestamp with time zone not null,
  completed_at timestamp with time zone,
  constraint idempotency_key_pkey PRIMARY KEY (id),
  constraint idempotency_key_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id),
  constraint answer_is_whole CHECK (num_nonnulls(status, body, completed_at) = ANY (ARRAY[0, 3])),
  constraint idempotency_key_id_check CHECK (id ~ '^[0-9a-f]{64}$'::text),
  constraint idempotency_key_request_hash_check CHECK (request_hash ~ '^[0-9a-f]{64}$'::text)
);
CREATE INDEX idempotency_key_age ON idempotency_key USING btree (created_at);
CREATE INDEX idempotency_key_encrypted ON idempotency_key USING btree (id) WHERE body ~~ '%"secret":["%'::text;

create table invitation (
  id text not null,
  project_id text not null,
  email text not null,
  role text not null,
  token_hash text not null,
  invited_by text,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint invitation_pkey PRIMARY KEY (id),
  constraint invitation_project_id_email_key UNIQUE (project_id, email),
  constraint invitation_token_hash_key UNIQUE (token_hash),
  constraint invitation_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES person(id),
  constraint invitation_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id),
  constraint invitation_email_check CHECK (email = lower(email)),
  constraint invitation_role_check CHECK (role = ANY (ARRAY['owner'::text, 'developer'::text, 'support'::text])),
  constraint invitation_token_hash_check CHECK (token_hash ~ '^[0-9a-f]{64}$'::text)
);
CREATE INDEX invitation_end ON invitation USING btree (expires_at);

create table invoice (
  id text not null,
  project_id text not null,
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
  auto_capture_at timestamp with time zone,
  metadata jsonb not null,
  gateway_data jsonb not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  customer_id text,
  token_id text,
  reference_id text,
  verification boolean default false not null,
  statement_descriptor_phone text,
  statement_descriptor_city text,
  statement_descriptor_company text,
  statement_descriptor_url text,
  cancel_url text,
  device jsonb,
  initiation_type text,
  payment_intent text,
  payment_type text,
  expires_at timestamp with time zone,
  awaits_expiry boolean default false not null,
  expired_at timestamp with time zone,
  require_backend_capture boolean default false not null,
  risk jsonb,
  shipping jsonb,
  billing jsonb,
  tax jsonb,
  external_fraud_tools jsonb,
  payment_methods jsonb,
  has_details boolean default false not null,
  constraint invoice_pkey PRIMARY KEY (id),
  constraint invoice_project_id_sandbox_id_key UNIQUE (project_id, sandbox, id),
  constraint invoice_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id),
  constraint invoice_project_id_sandbox_customer_id_fkey FOREIGN KEY (project_id, sandbox, customer_id) REFERENCES customer(project_id, sandbox, id) DEFERRABLE INITIALLY DEFERRED,
  constraint invoice_project_id_sandbox_customer_id_token_id_fkey FOREIGN KEY (project_id, sandbox, customer_id, token_id) REFERENCES customer_token(project_id, sandbox, customer_id, id) DEFERRABLE INITIALLY DEFERRED,
  constraint nothing_only_to_verify CHECK (amount_minor > 0 OR amount_minor = 0 AND verification),
  constraint only_an_end_is_awaited CHECK (NOT awaits_expiry OR expires_at IS NOT NULL),
  constraint token_has_its_customer CHECK (token_id IS NULL OR customer_id IS NOT NULL)
);
CREATE INDEX invoice_customer ON invoice USING btree (customer_id) WHERE customer_id IS NOT NULL;
CREATE INDEX invoice_expiring ON invoice USING btree (expires_at) WHERE awaits_expiry;
CREATE INDEX invoice_list ON invoice USING btree (project_id, sandbox, created_at, id);
CREATE INDEX invoice_metadata ON invoice USING gin (metadata jsonb_path_ops) WHERE metadata <> '{}'::jsonb;
CREATE INDEX invoice_name ON invoice USING btree (project_id, sandbox, search_text(name));
CREATE INDEX invoice_order ON invoice USING btree (project_id, sandbox, search_text(order_id)) WHERE order_id IS NOT NULL;
CREATE UNIQUE INDEX invoice_reference ON invoice USING btree (project_id, sandbox, reference_id) WHERE reference_id IS NOT NULL;
CREATE INDEX invoice_token ON invoice USING btree (token_id) WHERE token_id IS NOT NULL;
CREATE STATISTICS public.invoice_lower_name ON lower(name) FROM invoice;
CREATE TRIGGER keep_status AFTER INSERT OR UPDATE OF currency, expires_at, expired_at ON invoice FOR EACH ROW EXECUTE FUNCTION keep_invoice_status();

create table invoice_detail (
  id text not null,
  project_id text not null,
  sandbox boolean not null,
  invoice_id text not null,
  "position" integer not null,
  name text not null,
  type text,
  amount_minor bigint not null,
  quantity integer not null,
  discount_minor bigint,
  metadata jsonb not null,
  category text,
  reference text,
  description text,
  brand text,
  model text,
  condition text,
  marketplace_merchant text,
  marketplace_merchant_is_business boolean,
  marketplace_merchant_created_at timestamp with time zone,
  captured_minor bigint default 0 not null,
  refunded_minor bigint default 0 not null,
  capture_operation_id text,
  refund_operation_id text,
  created_at timestamp with time zone not null,
  constraint invoice_detail_pkey PRIMARY KEY (id),
  constraint invoice_detail_invoice_id_position_key UNIQUE (invoice_id, "position") DEFERRABLE INITIALLY DEFERRED,
  constraint invoice_detail_project_id_sandbox_id_key UNIQUE (project_id, sandbox, id),
  constraint invoice_detail_project_id_sandbox_capture_operation_id_fkey FOREIGN KEY (project_id, sandbox, capture_operation_id) REFERENCES operation(project_id, sandbox, id) DEFERRABLE INITIALLY DEFERRED,
  constraint invoice_detail_project_id_sandbox_invoice_id_fkey FOREIGN KEY (project_id, sandbox, invoice_id) REFERENCES invoice(project_id, sandbox, id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  constraint invoice_detail_project_id_sandbox_refund_operation_id_fkey FOREIGN KEY (project_id, sandbox, refund_operation_id) REFERENCES operation(project_id, sandbox, id) DEFERRABLE INITIALLY DEFERRED,
  constraint invoice_detail_amount_minor_check CHECK (amount_minor >= 0),
  constraint invoice_detail_captured_minor_check CHECK (captured_minor >= 0),
  constraint invoice_detail_discount_minor_check CHECK (discount_minor >= 0),
  constraint invoice_detail_position_check CHECK ("position" > 0),
  constraint invoice_detail_quantity_check CHECK (quantity >= 1),
  constraint invoice_detail_refunded_minor_check CHECK (refunded_minor >= 0),
  constraint line_is_captured_once CHECK (captured_minor::numeric <= (amount_minor::numeric * quantity::numeric - COALESCE(discount_minor, 0::bigint)::numeric)),
  constraint line_is_refunded_once CHECK (refunded_minor::numeric <= (amount_minor::numeric * quantity::numeric - COALESCE(discount_minor, 0::bigint)::numeric))
);

create table limit_minute (
  project_id text not null,
  sandbox boolean not null,
  kind text not null,
  minute timestamp with time zone not null,
  requests integer not null,
  refused integer not null,
  lowest_remaining integer not null,
  constraint limit_minute_pkey PRIMARY KEY (project_id, sandbox, kind, minute)
);
CREATE INDEX limit_minute_age ON limit_minute USING btree (minute);

create table notification_refusal (
  gateway_configuration_id text not null,
  project_id text not null,
  sandbox boolean not null,
  reason text not null,
  times integer default 1 not null,
  first_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  constraint notification_refusal_pkey PRIMARY KEY (gateway_configuration_id),
  constraint notification_refusal_project_id_sandbox_gateway_configurat_fkey FOREIGN KEY (project_id, sandbox, gateway_configuration_id) REFERENCES gateway_configuration(project_id, sandbox, id) ON DELETE CASCADE,
  constraint notification_refusal_reason_check CHECK (reason = ANY (ARRAY['no-secret'::text, 'unproven'::text, 'unreadable'::text]))
);

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
  amount_minor bigint not null,
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
  begun_at timestamp with time zone,
  actor text not null,
  reason text,
  is_sale boolean default false not null,
  corrected_attempt_id text,
  overrides_advice boolean default false not null,
  dispute_step text,
  dispute_id text,
  evidence_due_at timestamp with time zone,
  disputed_minor bigint,
  created_at timestamp with time zone not null,
  "position" bigint generated always as identity not null,
  token_id text,
  refund_id text,
  detail_ids jsonb,
  is_final boolean,
  may_fall_back_to_sale boolean,
  save_source boolean,
  gateway_request text,
  gateway_authorization_id text,
  scheme_used text,
  merchant_advice_code text,
  chargeback_reason text,
  route jsonb,
  fallback_of text,
  is_not_sent boolean default false not null,
  retry_after timestamp with time zone,
  account_version integer,
  wanted_authentication jsonb,
  authentication jsonb,
  person_id text,
  written_by bigint default pg_current_xact_id()::text::bigint not null,
  constraint operation_pkey PRIMARY KEY (id, project_id, sandbox),
  constraint operation_project_id_sandbox_attempt_operation_id_fkey FOREIGN KEY (project_id, sandbox, attempt_operation_id) REFERENCES operation(project_id, sandbox, id) DEFERRABLE INITIALLY DEFERRED,
  constraint operation_project_id_sandbox_corrected_attempt_id_fkey FOREIGN KEY (project_id, sandbox, corrected_attempt_id) REFERENCES operation(project_id, sandbox, id) DEFERRABLE INITIALLY DEFERRED,
  constraint operation_project_id_sandbox_fallback_of_fkey FOREIGN KEY (project_id, sandbox, fallback_of) REFERENCES operation(project_id, sandbox, id),
  constraint operation_project_id_sandbox_transaction_id_fkey FOREIGN KEY (project_id, sandbox, transaction_id) REFERENCES transaction(project_id, sandbox, id) DEFERRABLE INITIALLY DEFERRED,
  constraint operation_amount_minor_check CHECK (amount_minor >= 0),
  constraint operation_outcome CHECK (outcome = ANY (ARRAY['succeeded'::text, 'failed'::text, 'pending'::text, 'unknown'::text])),
  constraint operation_reason_check CHECK (reason = ANY (ARRAY['authorization_expired'::text, 'workflow_cancelled'::text, 'final_capture'::text, 'late_approval'::text, 'partial_approval'::text, 'failed_later'::text, 'recovered'::text])),
  constraint operation_type CHECK (type = ANY (ARRAY['request'::text, 'three_d_s_check'::text, 'authorization'::text, 'increment_authorization'::text, 'capture'::text, 'void'::text, 'refund'::text, 'chargeback'::text]))
);
CREATE INDEX operation_card ON operation USING btree (card_id) WHERE type = 'authorization'::text AND NOT is_attempt;
CREATE INDEX operation_dispute_list ON operation USING btree (project_id, sandbox, created_at, id) WHERE type = 'chargeback'::text;
CREATE INDEX operation_fallback ON operation USING btree (fallback_of) WHERE fallback_of IS NOT NULL;
CREATE UNIQUE INDEX operation_final_result ON operation USING btree (attempt_operation_id) WHERE outcome = ANY (ARRAY['succeeded'::text, 'failed'::text]);
CREATE INDEX operation_gateway_operation ON operation USING btree (gateway_configuration_id, gateway_operation_id) WHERE (type = ANY (ARRAY['authorization'::text, 'capture'::text, 'refund'::text])) AND gateway_operation_id IS NOT NULL;
CREATE INDEX operation_result_list ON operation USING btree (project_id, sandbox, created_at, id) WHERE NOT is_attempt;
CREATE INDEX operation_transaction ON operation USING btree (transaction_id, "position");
CREATE INDEX operation_written_by ON operation USING brin (written_by) WITH (autosummarize='on');
CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE ON operation FOR EACH ROW EXECUTE FUNCTION audit_row('{"is_attempt":false,"has_failed":false,"is_accountable":false,"is_sale":false}');
CREATE TRIGGER hold_account BEFORE INSERT ON operation FOR EACH ROW WHEN (new.account_version IS NOT NULL) EXECUTE FUNCTION hold_account();

create table payment_day (
  project_id text not null,
  sandbox boolean not null,
  day date not null,
  currency text not null,
  gateway_configuration_id text not null,
  kind text not null,
  error_code text not null,
  count bigint not null,
  amount_minor bigint not null,
  constraint payment_day_pkey PRIMARY KEY (project_id, sandbox, day, currency, gateway_configuration_id, kind, error_code),
  constraint payment_day_kind_check CHECK (kind = ANY (ARRAY['approved'::text, 'declined'::text, 'captured'::text, 'refunded'::text, 'disputed'::text, 'recovered'::text]))
);

create table payment_day_progress (
  is_only_row boolean default true not null,
  counted_before bigint not null,
  counted_at timestamp with time zone not null,
  constraint payment_day_progress_pkey PRIMARY KEY (is_only_row),
  constraint payment_day_progress_is_only_row_check CHECK (is_only_row)
);

create table payment_pick_up (
  project_id text not null,
  sandbox boolean not null,
  invoice_id text not null,
  due_at timestamp with time zone not null,
  tries integer not null,
  next_try_at timestamp with time zone not null,
  constraint payment_pick_up_pkey PRIMARY KEY (invoice_id, due_at)
);
CREATE INDEX payment_pick_up_age ON payment_pick_up USING btree (next_try_at);

create table payment_status (
  invoice_id text not null,
  project_id text not null,
  sandbox boolean not null,
  invoice_created_at timestamp with time zone not null,
  currency text not null,
  expires_at timestamp with time zone,
  expired_at timestamp with time zone,
  transaction_id text,
  transaction_created_at timestamp with time zone,
  status text default 'none'::text not null,
  due_at timestamp with time zone,
  constraint payment_status_pkey PRIMARY KEY (invoice_id),
  constraint payment_status_project_id_sandbox_invoice_id_fkey FOREIGN KEY (project_id, sandbox, invoice_id) REFERENCES invoice(project_id, sandbox, id) ON DELETE CASCADE
) with (fillfactor=80);
CREATE INDEX payment_status_due ON payment_status USING btree (due_at, invoice_id) WHERE due_at IS NOT NULL;
CREATE INDEX payment_status_invoices ON payment_status USING btree (project_id, sandbox, status, invoice_created_at, invoice_id) INCLUDE (currency, expires_at, expired_at);
CREATE INDEX payment_status_transactions ON payment_status USING btree (project_id, sandbox, status, transaction_created_at, transaction_id) INCLUDE (currency) WHERE status <> 'none'::text;

create table person (
  id text not null,
  email text not null,
  name text not null,
  password_hash text not null,
  reset_hash text,
  reset_expires_at timestamp with time zone,
  totp_ciphertext bytea,
  totp_key_id text,
  totp_step bigint,
  created_at timestamp with time zone not null,
  disabled_at timestamp with time zone,
  last_signed_in_at timestamp with time zone,
  constraint person_pkey PRIMARY KEY (id),
  constraint person_email_key UNIQUE (email),
  constraint person_reset_hash_key UNIQUE (reset_hash),
  constraint person_check CHECK ((reset_hash IS NULL) = (reset_expires_at IS NULL)),
  constraint person_check1 CHECK (num_nulls(totp_ciphertext, totp_key_id, totp_step) = ANY (ARRAY[0, 3])),
  constraint person_email_check CHECK (email = lower(email)),
  constraint person_password_hash_check CHECK (starts_with(password_hash, '$argon2id$'::text)),
  constraint person_reset_hash_check CHECK (reset_hash ~ '^[0-9a-f]{64}$'::text)
);
CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE OF id, disabled_at, reset_expires_at, password_hash, reset_hash ON person FOR EACH ROW EXECUTE FUNCTION audit_settings();

create table person_passkey (
  id text not null,
  person_id text not null,
  name text not null,
  public_key text not null,
  sign_count bigint not null,
  transports text not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  constraint person_passkey_pkey PRIMARY KEY (id),
  constraint person_passkey_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id)
);
CREATE INDEX person_passkey_person ON person_passkey USING btree (person_id);

create table person_session (
  token_hash text not null,
  person_id text not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  second_factor_at timestamp with time zone,
  challenge text,
  constraint person_session_pkey PRIMARY KEY (token_hash),
  constraint person_session_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id),
  constraint person_session_token_hash_check CHECK (token_hash ~ '^[0-9a-f]{64}$'::text)
);
CREATE INDEX person_session_end ON person_session USING btree (ends_at);
CREATE INDEX person_session_person ON person_session USING btree (person_id);

create table project (
  id text not null,
  name text not null,
  created_at timestamp with time zone not null,
  default_currency text default 'USD'::text not null,
  accepts_partial_approvals boolean default false not null,
  primary_limit requests_a_minute default 3000 not null,
  secondary_limit requests_a_minute default 3000 not null,
  sandbox_limit requests_a_minute default 3000 not null,
  client_address_limit requests_a_minute default 300 not null,
  client_invoice_limit requests_a_minute default 60 not null,
  suspended_at timestamp with time zone,
  allows_client_captures boolean default false not null,
  allows_client_overrides boolean default false not null,
  blocks_stopped_payments boolean default false not null,
  enforces_retry_after boolean default false not null,
  requires_second_factor boolean default false not null,
  enforces_network_limits boolean default false not null,
  visa_reattempts integer default 20 not null,
  mastercard_declines_per_day integer default 10 not null,
  mastercard_declines_per_amount integer default 35 not null,
  allows_client_amounts boolean default false not null,
  page_origins text[] default '{}'::text[] not null,
  client_failures_per_invoice integer default 10 not null,
  client_failures_per_card integer default 10 not null,
  client_failures_per_project integer default 1000 not null,
  constraint project_pkey PRIMARY KEY (id),
  constraint project_client_failures_check CHECK (client_failures_per_invoice > 0 AND client_failures_per_card > 0 AND client_failures_per_project > 0),
  constraint project_mastercard_declines_per_amount_check CHECK (mastercard_declines_per_amount >= 1 AND mastercard_declines_per_amount <= 1000),
  constraint project_mastercard_declines_per_day_check CHECK (mastercard_declines_per_day >= 1 AND mastercard_declines_per_day <= 1000),
  constraint project_visa_reattempts_check CHECK (visa_reattempts >= 1 AND visa_reattempts <= 1000)
);
CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE OF id, default_currency, accepts_partial_approvals, primary_limit, secondary_limit, sandbox_limit, client_address_limit, client_invoice_limit, allows_client_captures, allows_client_overrides, allows_client_amounts, page_origins, blocks_stopped_payments, enforces_retry_after, requires_second_factor, enforces_network_limits, visa_reattempts, mastercard_declines_per_day, mastercard_declines_per_amount, client_failures_per_invoice, client_failures_per_card, client_failures_per_project, suspended_at ON project FOR EACH ROW EXECUTE FUNCTION audit_settings();

create table project_member (
  project_id text not null,
  person_id text not null,
  role text not null,
  created_at timestamp with time zone not null,
  id text generated always as (((project_id || '/'::text) || person_id)) stored not null,
  constraint project_member_pkey PRIMARY KEY (project_id, person_id),
  constraint project_member_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id),
  constraint project_member_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id),
  constraint project_member_role_check CHECK (role = ANY (ARRAY['owner'::text, 'developer'::text, 'support'::text]))
);
CREATE INDEX project_member_person ON project_member USING btree (person_id);
CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE OF id, project_id, role ON project_member FOR EACH ROW EXECUTE FUNCTION audit_settings();

create table rate_limit_bucket (
  kind text not null,
  subject text not null,
  theoretical_arrival_us bigint not null,
  constraint rate_limit_bucket_pkey PRIMARY KEY (kind, subject)
) with (fillfactor=50, autovacuum_vacuum_scale_factor=0.02);

create table reconciliation (
  id text not null,
  project_id text not null,
  sandbox boolean not null,
  gateway_configuration_id text not null,
  source text not null,
  day date,
  file_hash text,
  status text not null,
  tries integer default 0 not null,
  next_try_at timestamp with time zone,
  failure text,
  list_cursor text,
  is_listed boolean default false not null,
  lines_count integer default 0 not null,
  differences_count integer default 0 not null,
  judged_until timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  completed_at timestamp with time zone,
  constraint reconciliation_pkey PRIMARY KEY (id),
  constraint reconciliation_project_id_sandbox_id_key UNIQUE (project_id, sandbox, id),
  constraint reconciliation_project_id_sandbox_gateway_configuration_id_fkey FOREIGN KEY (project_id, sandbox, gateway_configuration_id) REFERENCES gateway_configuration(project_id, sandbox, id),
  constraint completed_is_whole CHECK ((status = 'completed'::text) = (completed_at IS NOT NULL) AND (status = 'completed'::text) = (next_try_at IS NULL) AND (status = 'waiting'::text OR judged_until IS NOT NULL)),
  constraint reconciliation_differences_count_check CHECK (differences_count >= 0),
  constraint reconciliation_file_hash_check CHECK (file_hash ~ '^[0-9a-f]{64}$'::text),
  constraint reconciliation_lines_count_check CHECK (lines_count >= 0),
  constraint reconciliation_source_check CHECK (source = ANY (ARRAY['list'::text, 'file'::text])),
  constraint reconciliation_status_check CHECK (status = ANY (ARRAY['waiting'::text, 'completed'::text])),
  constraint reconciliation_tries_check CHECK (tries >= 0),
  constraint source_is_one CHECK (
CASE source
    WHEN 'list'::text THEN day IS NOT NULL AND file_hash IS NULL
    ELSE day IS NULL AND file_hash IS NOT NULL
END)
);
CREATE UNIQUE INDEX reconciliation_day ON reconciliation USING btree (gateway_configuration_id, day) WHERE day IS NOT NULL;
CREATE INDEX reconciliation_due ON reconciliation USING btree (next_try_at) WHERE next_try_at IS NOT NULL;
CREATE UNIQUE INDEX reconciliation_file ON reconciliation USING btree (gateway_configuration_id, file_hash) WHERE file_hash IS NOT NULL;
CREATE INDEX reconciliation_list ON reconciliation USING btree (project_id, sandbox, created_at, id);

create table reconciliation_difference (
  id text not null,
  project_id text not null,
  sandbox boolean not null,
  reconciliation_id text not null,
  gateway_configuration_id text not null,
  kind text not null,
  status text not null,
  operation_id text,
  transaction_id text,
  type text not null,
  our_state text,
  our_amount_minor bigint,
  our_currency text,
  line_id text,
  gateway_reference text,
  gateway_state text,
  gateway_amount_minor bigint,
  gateway_currency text,
  gateway_booked_at timestamp with time zone,
  resolved_at timestamp with time zone,
  resolved_by text,
  resolution text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint reconciliation_difference_pkey PRIMARY KEY (id),
  constraint reconciliation_difference_project_id_sandbox_id_key UNIQUE (project_id, sandbox, id),
  constraint reconciliation_difference_project_id_sandbox_gateway_confi_fkey FOREIGN KEY (project_id, sandbox, gateway_configuration_id) REFERENCES gateway_configuration(project_id, sandbox, id),
  constraint reconciliation_difference_project_id_sandbox_reconciliatio_fkey FOREIGN KEY (project_id, sandbox, reconciliation_id) REFERENCES reconciliation(project_id, sandbox, id),
  constraint reconciliation_difference_project_id_sandbox_transaction_i_fkey FOREIGN KEY (project_id, sandbox, transaction_id) REFERENCES transaction(project_id, sandbox, id),
  constraint difference_has_a_side CHECK (operation_id IS NOT NULL OR line_id IS NOT NULL),
  constraint reconciliation_difference_kind_check CHECK (kind = ANY (ARRAY['missing-at-gateway'::text, 'missing-in-books'::text, 'amount'::text, 'currency'::text, 'state'::text, 'twice'::text])),
  constraint reconciliation_difference_status_check CHECK (status = ANY (ARRAY['open'::text, 'resolved'::text])),
  constraint reconciliation_difference_type_check CHECK (type = ANY (ARRAY['capture'::text, 'refund'::text])),
  constraint resolved_is_whole CHECK (
CASE status
    WHEN 'open'::text THEN num_nonnulls(resolved_at, resolved_by, resolution) = 0
    ELSE num_nonnulls(resolved_at, resolved_by, resolution) = 3
END)
);
CREATE INDEX reconciliation_difference_list ON reconciliation_difference USING btree (project_id, sandbox, created_at, id);
CREATE INDEX reconciliation_difference_open ON reconciliation_difference USING btree (gateway_configuration_id, id) WHERE status = 'open'::text;
CREATE INDEX reconciliation_difference_status_list ON reconciliation_difference USING btree (project_id, sandbox, status, created_at, id);
CREATE UNIQUE INDEX reconciliation_difference_subject ON reconciliation_difference USING btree (gateway_configuration_id, kind, COALESCE(operation_id, line_id));

create table recovery_code (
  code_hash text not null,
  person_id text not null,
  constraint recovery_code_pkey PRIMARY KEY (code_hash),
  constraint recovery_code_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id),
  constraint recovery_code_code_hash_check CHECK (code_hash ~ '^[0-9a-f]{64}$'::text)
);
CREATE INDEX recovery_code_person ON recovery_code USING btree (person_id);

create table refund (
  id text not null,
  project_id text not null,
  sandbox boolean not null,
  transaction_id text not null,
  operation_id text not null,
  amount_minor bigint not null,
  currency text not null,
  reason text not null,
  information text,
  metadata jsonb not null,
  detail_ids jsonb,
  status text not null,
  error_code text,
  failed_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint refund_pkey PRIMARY KEY (id),
  constraint refund_operation_id_key UNIQUE (operation_id),
  constraint refund_project_id_sandbox_id_key UNIQUE (project_id, sandbox, id),
  constraint refund_project_id_sandbox_operation_id_fkey FOREIGN KEY (project_id, sandbox, operation_id) REFERENCES operation(project_id, sandbox, id) DEFERRABLE INITIALLY DEFERRED,
  constraint refund_project_id_sandbox_transaction_id_fkey FOREIGN KEY (project_id, sandbox, transaction_id) REFERENCES transaction(project_id, sandbox, id) DEFERRABLE INITIALLY DEFERRED,
  constraint refund_amount_minor_check CHECK (amount_minor > 0),
  constraint refund_reason_check CHECK (reason = ANY (ARRAY['customer_request'::text, 'duplicate'::text, 'fraud'::text, 'other'::text])),
  constraint refund_status_check CHECK (status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text]))
);
CREATE INDEX refund_list ON refund USING btree (project_id, sandbox, transaction_id, created_at, id);
CREATE INDEX refund_project_list ON refund USING btree (project_id, sandbox, created_at, id);
CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE ON refund FOR EACH ROW EXECUTE FUNCTION audit_row('{}');

create table rule_set (
  id text not null,
  project_id text not null,
  sandbox boolean not null,
  version integer not null,
  text text not null,
  rules jsonb not null,
  default_currency text not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  constraint rule_set_pkey PRIMARY KEY (id),
  constraint rule_set_project_id_sandbox_id_key UNIQUE (project_id, sandbox, id),
  constraint rule_set_project_id_sandbox_version_key UNIQUE (project_id, sandbox, version),
  constraint rule_set_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id),
  constraint rule_set_version_check CHECK (version > 0)
);
CREATE INDEX rule_set_list ON rule_set USING btree (project_id, sandbox, created_at, id);
CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE OF id, project_id, sandbox, version, default_currency, created_by, rules ON rule_set FOR EACH ROW EXECUTE FUNCTION audit_settings();
CREATE TRIGGER immutable BEFORE UPDATE ON rule_set FOR EACH ROW EXECUTE FUNCTION refuse_rule_set_change();

create table service_key (
  name text not null,
  proof text not null,
  constraint service_key_pkey PRIMARY KEY (name),
  constraint service_key_proof_check CHECK (proof ~ '^[0-9a-f]{64}$'::text)
);

create table settlement_line (
  gateway_configuration_id text not null,
  id text not null,
  project_id text not null,
  sandbox boolean not null,
  reconciliation_id text not null,
  type text not null,
  state text not null,
  reference text,
  gateway_reference text,
  amount_minor bigint not null,
  currency text not null,
  booked_at timestamp with time zone not null,
  constraint settlement_line_pkey PRIMARY KEY (gateway_configuration_id, id),
  constraint settlement_line_project_id_sandbox_gateway_configuration_i_fkey FOREIGN KEY (project_id, sandbox, gateway_configuration_id) REFERENCES gateway_configuration(project_id, sandbox, id),
  constraint settlement_line_project_id_sandbox_reconciliation_id_fkey FOREIGN KEY (project_id, sandbox, reconciliation_id) REFERENCES reconciliation(project_id, sandbox, id),
  constraint settlement_line_amount_minor_check CHECK (amount_minor >= 0),
  constraint settlement_line_state_check CHECK (state = ANY (ARRAY['booked'::text, 'reversed'::text])),
  constraint settlement_line_type_check CHECK (type = ANY (ARRAY['capture'::text, 'refund'::text]))
);
CREATE INDEX settlement_line_booked ON settlement_line USING btree (gateway_configuration_id, booked_at, id);
CREATE INDEX settlement_line_gateway_reference ON settlement_line USING btree (gateway_configuration_id, gateway_reference) WHERE gateway_reference IS NOT NULL;
CREATE INDEX settlement_line_reconciliation ON settlement_line USING btree (reconciliation_id, id);
CREATE INDEX settlement_line_reference ON settlement_line USING btree (gateway_configuration_id, reference) WHERE reference IS NOT NULL;

create table sign_in_failure (
  subject text not null,
  tries integer not null,
  tried_at timestamp with time zone not null,
  locked_until timestamp with time zone,
  constraint sign_in_failure_pkey PRIMARY KEY (subject)
);
CREATE INDEX sign_in_failure_age ON sign_in_failure USING btree (tried_at);

create table simulator.customer_step (
  id text not null,
  reference text not null,
  type text not null,
  acs_trans_id text not null,
  expires_at timestamp with time zone not null,
  wrong_codes integer default 0 not null,
  answer text,
  constraint customer_step_pkey PRIMARY KEY (id),
  constraint customer_step_reference_fkey FOREIGN KEY (reference) REFERENCES simulator.waiting_authorization(reference),
  constraint customer_step_answer_check CHECK (answer = ANY (ARRAY['completed'::text, 'passed'::text, 'failed'::text, 'canceled'::text])),
  constraint customer_step_type CHECK (type = ANY (ARRAY['fingerprint'::text, 'redirect'::text, 'url'::text, 'fingerprint-mobile'::text, 'challenge-mobile'::text])),
  constraint customer_step_wrong_codes_check CHECK (wrong_codes >= 0 AND wrong_codes <= 3)
);
CREATE INDEX customer_step_reference ON simulator.customer_step USING btree (reference);

create table simulator.held_authorization (
  id text not null,
  scenario text not null,
  currency text not null,
  incremental boolean not null,
  authorized_minor bigint not null,
  captured_minor bigint default 0 not null,
  voided_minor bigint default 0 not null,
  captures integer default 0 not null,
  gateway_configuration_id text not null,
  failed_captures integer default 0 not null,
  capturing_minor bigint default 0 not null,
  refunding_minor bigint default 0 not null,
  refunded_minor bigint default 0 not null,
  constraint held_authorization_pkey PRIMARY KEY (id),
  constraint held_authorization_authorized_minor_check CHECK (authorized_minor >= 0),
  constraint held_authorization_captured_minor_check CHECK (captured_minor >= 0),
  constraint held_authorization_capturing_minor_check CHECK (capturing_minor >= 0),
  constraint held_authorization_failed_captures_check CHECK (failed_captures >= 0),
  constraint held_authorization_refunded_minor_check CHECK (refunded_minor >= 0),
  constraint held_authorization_refunding_minor_check CHECK (refunding_minor >= 0),
  constraint held_authorization_voided_minor_check CHECK (voided_minor >= 0),
  constraint never_more_than_authorized CHECK ((captured_minor + capturing_minor + voided_minor) <= authorized_minor),
  constraint never_more_than_captured CHECK ((refunded_minor + refunding_minor) <= captured_minor)
);

create table simulator.notification (
  id text not null,
  gateway_configuration_id text not null,
  invoice_id text not null,
  kind text not null,
  reference text,
  amount_minor bigint not null,
  currency text not null,
  reason text,
  evidence_due_at timestamp with time zone,
  due_at timestamp with time zone not null,
  taken_until timestamp with time zone,
  attempts integer default 0 not null,
  delivered_at timestamp with time zone,
  gateway_authorization_id text,
  copies integer default 1 not null,
  constraint notification_pkey PRIMARY KEY (id),
  constraint notification_copies_check CHECK (copies >= 1 AND copies <= 2)
);
CREATE INDEX notification_due ON simulator.notification USING btree (due_at) WHERE delivered_at IS NULL;

create table simulator.request (
  reference text not null,
  type text not null,
  invoice_id text not null,
  gateway_authorization_id text,
  amount_minor bigint not null,
  currency text not null,
  scenario text,
  outcome jsonb not null,
  asked_at timestamp with time zone not null,
  times_asked integer default 1 not null,
  gateway_configuration_id text not null,
  is_final boolean,
  delivery text,
  later jsonb,
  looked_up integer default 0 not null,
  booked_at timestamp with time zone,
  constraint request_pkey PRIMARY KEY (reference),
  constraint request_delivery_check CHECK (delivery = ANY (ARRAY['lost'::text, 'late'::text, 'never-resolved'::text])),
  constraint request_looked_up_check CHECK (looked_up >= 0),
  constraint request_times_asked_check CHECK (times_asked > 0),
  constraint request_type CHECK (type = ANY (ARRAY['authorization'::text, 'increment_authorization'::text, 'capture'::text, 'void'::text, 'refund'::text]))
);
CREATE INDEX request_booked ON simulator.request USING btree (gateway_configuration_id, booked_at, reference) WHERE booked_at IS NOT NULL;

create table simulator.used_card (
  scenario text not null,
  expiry text not null,
  first_reference text not null,
  gateway_configuration_id text not null,
  constraint used_card_pkey PRIMARY KEY (gateway_configuration_id, scenario, expiry)
);

create table simulator.waiting_authorization (
  reference text not null,
  plan jsonb not null,
  learned jsonb not null,
  result jsonb not null,
  incremental boolean not null,
  return_url text not null,
  shop text,
  card_ending text,
  constraint waiting_authorization_pkey PRIMARY KEY (reference),
  constraint waiting_authorization_reference_fkey FOREIGN KEY (reference) REFERENCES simulator.request(reference)
);

create table transaction (
  id text not null,
  project_id text not null,
  sandbox boolean not null,
  invoice_id text not null,
  created_at timestamp with time zone not null,
  customer_id text,
  token_id text,
  card_id text,
  gateway_request text,
  gateway_configuration_id text,
  gateway_name text,
  name text not null,
  currency text not null,
  amount_minor bigint not null,
  incremental boolean not null,
  metadata jsonb not null,
  capabilities jsonb default '{"refund": true, "authorize": true, "partialVoid": true, "partialRefund": true, "partialCapture": true, "multipleCaptures": true, "incrementalAuthorization": true}'::jsonb not null,
  authorization_validity_ms bigint default 604800000 not null,
  initial_scheme_transaction_id text,
  scheme_used text,
  rule_set_id text,
  rule_set_version integer,
  routing_tags jsonb default '[]'::jsonb not null,
  clock_offset_ms bigint default 0 not null,
  clock_move jsonb,
  auto_capture_at timestamp with time zone,
  auto_capture_amount_minor bigint,
  auto_capture_detail_ids jsonb,
  auto_capture_is_final boolean default true not null,
  auto_capture_retry_at timestamp with time zone,
  auto_capture_failures integer default 0 not null,
  expiry_announced boolean default false not null,
  expired boolean not null,
  orphans jsonb default '[]'::jsonb not null,
  disputes jsonb default '[]'::jsonb not null,
  disputed_minor bigint default 0 not null,
  disputes_open integer default 0 not null,
  evidence_due_at timestamp with time zone,
  disputed_at timestamp with time zone,
  chargedback_at timestamp with time zone,
  received_fraud_notification boolean default false not null,
  received_retrieval_request boolean default false not null,
  outcome_unknown_since timestamp with time zone,
  needs_attention boolean default false not null,
  voided_minor bigint not null,
  refunded_minor bigint not null,
  refunding_minor bigint default 0 not null,
  incremented_minor bigint not null,
  increment_attempts integer not null,
  voided_at timestamp with time zone,
  refunded_at timestamp with time zone,
  error_code text,
  error_message text,
  recommendation_code text,
  merchant_advice_code text,
  retry_after timestamp with time zone,
  customer_action jsonb,
  authentication jsonb,
  attempts_count integer not null,
  scheme_id text,
  card_checks jsonb,
  gateway_authorization_id text,
  authorized_minor bigint not null,
  authorized_at timestamp with time zone,
  authorization_expires_at timestamp with time zone,
  captured_minor bigint not null,
  captures_count integer default 0 not null,
  captured_at timestamp with time zone,
  status text not null,
  event_count integer not null,
  workflow_run_id text,
  updated_at timestamp with time zone not null,
  attempts_in_flight jsonb default '[]'::jsonb not null,
  capturing_minor bigint default 0 not null,
  next_due_at timestamp with time zone,
  next_look_up_at timestamp with time zone,
  constraint transaction_pkey PRIMARY KEY (id),
  constraint transaction_project_id_sandbox_id_key UNIQUE (project_id, sandbox, id),
  constraint transaction_project_id_sandbox_invoice_id_key UNIQUE (project_id, sandbox, invoice_id),
  constraint transaction_project_id_sandbox_card_id_fkey FOREIGN KEY (project_id, sandbox, card_id) REFERENCES card(project_id, sandbox, id) DEFERRABLE INITIALLY DEFERRED,
  constraint transaction_project_id_sandbox_customer_id_fkey FOREIGN KEY (project_id, sandbox, customer_id) REFERENCES customer(project_id, sandbox, id) DEFERRABLE INITIALLY DEFERRED,
  constraint transaction_project_id_sandbox_gateway_configuration_id_fkey FOREIGN KEY (project_id, sandbox, gateway_configuration_id) REFERENCES gateway_configuration(project_id, sandbox, id) DEFERRABLE INITIALLY DEFERRED,
  constraint transaction_project_id_sandbox_invoice_id_fkey FOREIGN KEY (project_id, sandbox, invoice_id) REFERENCES invoice(project_id, sandbox, id) DEFERRABLE INITIALLY DEFERRED,
  constraint transaction_project_id_sandbox_rule_set_id_fkey FOREIGN KEY (project_id, sandbox, rule_set_id) REFERENCES rule_set(project_id, sandbox, id),
  constraint transaction_project_id_sandbox_token_id_fkey FOREIGN KEY (project_id, sandbox, token_id) REFERENCES customer_token(project_id, sandbox, id) DEFERRABLE INITIALLY DEFERRED,
  constraint amount_is_not_negative CHECK (amount_minor >= 0),
  constraint live_payments_keep_the_wall_clock CHECK (sandbox OR clock_offset_ms = 0 AND clock_move IS NULL),
  constraint never_more_than_authorized CHECK ((captured_minor + voided_minor + capturing_minor) <= authorized_minor),
  constraint never_more_than_captured CHECK ((refunded_minor + refunding_minor) <= captured_minor),
  constraint transaction_authorization_validity_ms_check CHECK (authorization_validity_ms <= 604800000),
  constraint transaction_authorized_minor_check CHECK (authorized_minor >= 0),
  constraint transaction_auto_capture_amount_minor_check CHECK (auto_capture_amount_minor > 0),
  constraint transaction_captured_minor_check CHECK (captured_minor >= 0),
  constraint transaction_capturing_minor_check CHECK (capturing_minor >= 0),
  constraint transaction_check CHECK ((gateway_configuration_id IS NULL) = (gateway_name IS NULL)),
  constraint transaction_check1 CHECK (gateway_configuration_id IS NOT NULL OR (status = ANY (ARRAY['waiting'::text, 'blocked'::text, 'failed'::text]))),
  constraint transaction_clock_offset_ms_check CHECK (clock_offset_ms >= 0),
  constraint transaction_disputed_minor_check CHECK (disputed_minor >= 0),
  constraint transaction_disputes_open_check CHECK (disputes_open >= 0),
  constraint transaction_incremented_minor_check CHECK (incremented_minor >= 0),
  constraint transaction_refunded_minor_check CHECK (refunded_minor >= 0),
  constraint transaction_refunding_minor_check CHECK (refunding_minor >= 0),
  constraint transaction_voided_minor_check CHECK (voided_minor >= 0)
) with (fillfactor=85);
CREATE INDEX transaction_attention_list ON transaction USING btree (project_id, sandbox, created_at, id) WHERE needs_attention OR outcome_unknown_since IS NOT NULL;
CREATE INDEX transaction_card ON transaction USING btree (card_id) WHERE card_id IS NOT NULL;
CREATE INDEX transaction_customer_list ON transaction USING btree (project_id, sandbox, customer_id, created_at, id) WHERE customer_id IS NOT NULL;
CREATE INDEX transaction_dispute_list ON transaction USING btree (project_id, sandbox, disputed_at, id) WHERE disputed_at IS NOT NULL;
CREATE INDEX transaction_error_list ON transaction USING btree (project_id, sandbox, error_code, created_at, id) WHERE error_code IS NOT NULL;
CREATE INDEX transaction_list ON transaction USING btree (project_id, sandbox, created_at, id);
CREATE INDEX transaction_metadata ON transaction USING gin (metadata jsonb_path_ops) WHERE metadata <> '{}'::jsonb;
CREATE INDEX transaction_open_disputes ON transaction USING btree (project_id, sandbox, evidence_due_at, id) WHERE disputes_open > 0;
CREATE INDEX transaction_token ON transaction USING btree (token_id) WHERE token_id IS NOT NULL;
CREATE STATISTICS public.transaction_name ON lower(name) FROM transaction;
CREATE TRIGGER audit AFTER INSERT OR DELETE OR UPDATE ON transaction FOR EACH ROW EXECUTE FUNCTION audit_row('{"authorized_minor":0,"captured_minor":0,"voided_minor":0,"refunded_minor":0,"capturing_minor":0,"refunding_minor":0,"incremented_minor":0,"increment_attempts":0,"captures_count":0,"clock_offset_ms":0,"auto_capture_failures":0,"incremental":false,"needs_attention":false,"expired":false,"received_fraud_notification":false,"received_retrieval_request":false,"attempts_in_flight":[],"orphans":[],"disputes":[]}');
CREATE TRIGGER keep_status AFTER INSERT OR UPDATE OF status, next_due_at, next_look_up_at ON transaction FOR EACH ROW EXECUTE FUNCTION keep_transaction_status();

create table velocity_record (
  operation_id text not null,
  project_id text not null,
  sandbox boolean not null,
  invoice_id text not null,
  card_fingerprint text,
  card_iin text,
  customer_id text,
  ip_address text,
  at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  is_client_failure boolean default false not null,
  constraint velocity_record_pkey PRIMARY KEY (operation_id),
  constraint velocity_record_project_id_sandbox_invoice_id_fkey FOREIGN KEY (project_id, sandbox, invoice_id) REFERENCES invoice(project_id, sandbox, id) ON DELETE CASCADE
);
CREATE INDEX velocity_record_address ON velocity_record USING btree (project_id, sandbox, ip_address, at) INCLUDE (invoice_id) WHERE ip_address IS NOT NULL;
CREATE INDEX velocity_record_age ON velocity_record USING btree (created_at);
CREATE INDEX velocity_record_card ON velocity_record USING btree (project_id, sandbox, card_fingerprint, at) INCLUDE (invoice_id) WHERE card_fingerprint IS NOT NULL;
CREATE INDEX velocity_record_client_card ON velocity_record USING btree (project_id, sandbox, card_fingerprint, created_at) WHERE is_client_failure AND card_fingerprint IS NOT NULL;
CREATE INDEX velocity_record_client_project ON velocity_record USING btree (project_id, sandbox, created_at) WHERE is_client_failure;
CREATE INDEX velocity_record_customer ON velocity_record USING btree (project_id, sandbox, customer_id, at) INCLUDE (invoice_id) WHERE customer_id IS NOT NULL;
CREATE INDEX velocity_record_iin ON velocity_record USING btree (project_id, sandbox, card_iin, at) INCLUDE (invoice_id) WHERE card_iin IS NOT NULL;
CREATE INDEX velocity_record_invoice ON velocity_record USING btree (invoice_id);

create table webhook_endpoint (
  id text not null,
  project_id text not null,
  sandbox boolean not null,
  url text not null,
  description text,
  events_whitelist text[],
  enabled boolean not null,
  disabled_reason text,
  disabled_at timestamp with time zone,
  sign_with_ed25519 boolean not null,
  failing_since timestamp with time zone,
  last_failure_at timestamp with time zone,
  gone_count integer default 0 not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  constraint webhook_endpoint_pkey PRIMARY KEY (id),
  constraint webhook_endpoint_project_id_sandbox_id_key UNIQUE (project_id, sandbox, id),
  constraint webhook_endpoint_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id),
  constraint disabled_for_a_reason CHECK (enabled = (disabled_reason IS NULL) AND enabled = (disabled_at IS NULL)),
  constraint webhook_endpoint_disabled_reason_check CHECK (disabled_reason = ANY (ARRAY['merchant'::text, 'gone'::text, 'failing'::text]))
);
CREATE INDEX webhook_endpoint_enabled ON webhook_endpoint USING btree (project_id, sandbox) WHERE enabled AND deleted_at IS NULL;
CREATE INDEX webhook_endpoint_list ON webhook_endpoint USING btree (project_id, sandbox, created_at, id) WHERE deleted_at IS NULL;

create table webhook_secret (
  id text not null,
  project_id text not null,
  sandbox boolean not null,
  endpoint_id text not null,
  scheme text not null,
  ciphertext bytea not null,
  key_id text not null,
  public_key text,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  constraint webhook_secret_pkey PRIMARY KEY (id),
  constraint webhook_secret_project_id_sandbox_endpoint_id_fkey FOREIGN KEY (project_id, sandbox, endpoint_id) REFERENCES webhook_endpoint(project_id, sandbox, id),
  constraint webhook_secret_scheme_check CHECK (scheme = ANY (ARRAY['hmac'::text, 'ed25519'::text]))
);
CREATE UNIQUE INDEX webhook_secret_current ON webhook_secret USING btree (endpoint_id, scheme) WHERE expires_at IS NULL;
CREATE INDEX webhook_secret_endpoint ON webhook_secret USING btree (endpoint_id);

create table withdrawn_command (
  operation_id text not null,
  project_id text not null,
  sandbox boolean not null,
  invoice_id text not null,
  created_at timestamp with time zone not null,
  constraint withdrawn_command_pkey PRIMARY KEY (operation_id)
);
CREATE INDEX withdrawn_command_age ON withdrawn_command USING btree (created_at);

CREATE OR REPLACE FUNCTION public.admit_requests(asked_project_id text, asked_secret_hash text, means_sandbox boolean, is_secondary boolean, asked_count integer)
 RETURNS TABLE(api_key_id text, sandbox boolean, secret_hash text, permissions text[], project_id text, is_suspended boolean, allows_client_captures boolean, allows_client_overrides boolean, allows_client_amounts boolean, kind text, "limit" integer, place integer, is_allowed boolean, remaining integer, more_in_us bigint)
 LANGUAGE plpgsql
 ROWS 8
 SET lock_timeout TO '1s'
AS $function$
#variable_conflict use_column
begin
  return query
  with key as materialized (
    select api_key.id as api_key_id, api_key.sandbox, api_key.secret_hash, api_key.permissions,
           project.id as project_id, project.suspended_at is not null as is_suspended,
           project.allows_client_captures, project.allows_client_overrides, project.allows_client_amounts,
           case when api_key.sandbox then 'sandbox' when is_secondary then 'secondary' else 'primary' end as kind,
           case when api_key.sandbox then sandbox_limit when is_secondary then secondary_limit else primary_limit
           end::integer as "limit"
    from api_key join project on project.id = api_key.project_id
    where api_key.secret_hash = asked_secret_hash and project.id = asked_project_id
      and api_key.revoked_at is null and (api_key.sandbox or not means_sandbox)
  ), used as (
    -- Exact to the minute only: if every request wrote this row, all requests of the key would wait for one another.
    update api_key set last_used_at = now() from key
    where api_key.id = key.api_key_id and (last_used_at is null or last_used_at < now() - interval '1 minute')
  )
  select key.*, taken.* from key, lateral take_requests(key.kind, key.project_id, key."limit", asked_count) taken;
end
$function$;

CREATE OR REPLACE FUNCTION public.advice_options(of_project project)
 RETURNS json
 LANGUAGE sql
 STABLE
AS $function$
  select json_build_object(
    'blocksStoppedPayments', of_project.blocks_stopped_payments,
    'enforcesRetryAfter', of_project.enforces_retry_after,
    'enforcesNetworkLimits', of_project.enforces_network_limits,
    'visaReattempts', of_project.visa_reattempts,
    'mastercardDeclinesPerDay', of_project.mastercard_declines_per_day,
    'mastercardDeclinesPerAmount', of_project.mastercard_declines_per_amount)
$function$;

CREATE OR REPLACE FUNCTION public.append_audit_entry(into_chain text, of_project text, of_sandbox boolean, of_kind text, by_actor text, with_facts text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET enable_sort TO 'off'
AS $function$
declare
  new_number constant bigint := nextval('audit_entry_number');
  now_text constant text := to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');
  last_position integer;
  last_hash bytea;
begin
  select entry.position, entry.hash into last_position, last_hash from audit_entry entry
  where entry.chain = into_chain order by entry.position desc limit 1;
  insert into audit_entry
    (number, chain, position, project_id, sandbox, kind, actor, facts, occurred_at, previous_hash, hash)
  values (
    new_number, into_chain, coalesce(last_position, 0) + 1, of_project, of_sandbox, of_kind, by_actor, with_facts, now_text,
    last_hash,
    -- src/audit/entry.ts computes the same hash; a test proves the two equal.
    sha256(convert_to(concat_ws(E'\n',
      'holdfast audit entry 1', new_number, into_chain, coalesce(last_position, 0) + 1, coalesce(of_project, ''),
      coalesce(of_sandbox::text, ''), of_kind, by_actor, now_text, coalesce(encode(last_hash, 'hex'), ''), with_facts),
      'UTF8')));
  insert into audit_waiting (number) values (new_number);
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_row()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
 SET enable_seqscan TO 'off'
AS $function$
declare
  before constant jsonb := case when tg_op = 'INSERT' then null else audited_state(old) end;
  after constant jsonb := case when tg_op = 'DELETE' then null else audited_state(new) end;
  row_id constant text := coalesce(before, after) ->> 'id';
  transaction_id constant text := coalesce(before, after) ->> 'transaction_id';
  -- Variables, because PostgreSQL's own names have another collation, for which no index would be used.
  kind constant text := tg_table_name || case tg_op
    when 'INSERT' then '.created' when 'UPDATE' then '.changed' else '.deleted' end;
  actor text := 'database:' || session_user;
  facts jsonb;
begin
  if before = after then return null; end if;
  if before is null then
    -- Without what says nothing, and what the entry itself says.
    select jsonb_object_agg(value.key, value.value) into facts from jsonb_each(jsonb_strip_nulls(after)) as value
    where value.value is distinct from tg_argv[0]::jsonb -> value.key
      and value.key not in ('project_id', 'sandbox', 'transaction_id');
    -- Of the dashboard the person acts, and of every other caller only the kind is known here.
    actor := coalesce('person:' || (after ->> 'person_id'), after ->> 'actor', actor);
  elsif after is null then
    facts := jsonb_build_object('id', row_id);
  else
    -- Each changed value, as [before, after].
    select jsonb_build_object('id', row_id, 'changes',
      jsonb_object_agg(value.key, jsonb_build_array(before -> value.key, value.value)))
    into facts from jsonb_each(after) as value where value.value <> before -> value.key;
  end if;
  if transaction_id is not null then
    perform from transaction where transaction.id = transaction_id for no key update;
  end if;
  perform append_audit_entry(coalesce(transaction_id, row_id), coalesce(new.project_id, old.project_id),
    coalesce(new.sandbox, old.sandbox), kind, actor, facts::text);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audit_settings()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  before constant jsonb := case when tg_op = 'INSERT' then null else audited_state(old) end;
  after constant jsonb := case when tg_op = 'DELETE' then null else audited_state(new) end;
  of_table constant text := tg_table_name;
  owner constant text := case of_table when 'project' then 'id' else 'project_id' end;
  -- Null for a person, who belongs to the service.
  owner_before constant text := before ->> owner;
  owner_after constant text := after ->> owner;
  actor constant text := 'database:' || session_user;
  changes jsonb;
begin
  if before = after then return null; end if;
  if owner_before is not distinct from owner_after and before ->> 'sandbox' is not distinct from after ->> 'sandbox'
    and before ->> 'id' = after ->> 'id' then
    -- Each changed value, as [before, after].
    select jsonb_object_agg(value.key, jsonb_build_array(before -> value.key, value.value))
    into changes from jsonb_each(after) as value where value.value <> before -> value.key;
    perform record_audit_act(owner_after, (after ->> 'sandbox')::boolean, of_table || '.row-changed', actor,
      jsonb_build_object('id', after ->> 'id', 'changes', changes));
    return null;
  end if;
  -- A row that moves to another project ends in the old chain and begins in the new one.
  if before is not null then
    perform record_audit_act(owner_before, (before ->> 'sandbox')::boolean, of_table || '.row-deleted', actor,
      jsonb_build_object('id', before ->> 'id'));
  end if;
  if after is not null then
    perform record_audit_act(owner_after, (after ->> 'sandbox')::boolean, of_table || '.row-created', actor,
      jsonb_strip_nulls(after));
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.audited_state(of_row active_rule_set)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_build_object(
    'id', of_row.id,
    'project_id', of_row.project_id,
    'sandbox', of_row.sandbox,
    'rule_set_id', of_row.rule_set_id)
$function$;

CREATE OR REPLACE FUNCTION public.audited_state(of_row api_key)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_build_object(
    'id', of_row.id,
    'project_id', of_row.project_id,
    'sandbox', of_row.sandbox,
    'permissions', of_row.permissions,
    'revoked_at', of_row.revoked_at at time zone 'UTC',
    'secret_hash_digest', encode(sha256(convert_to(of_row.secret_hash::text, 'UTF8')), 'hex'))
$function$;

CREATE OR REPLACE FUNCTION public.audited_state(of_row gateway_configuration)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_build_object(
    'id', of_row.id,
    'project_id', of_row.project_id,
    'sandbox', of_row.sandbox,
    'gateway_name', of_row.gateway_name,
    'enabled', of_row.enabled,
    'default_preferred_scheme', of_row.default_preferred_scheme,
    'capabilities', of_row.capabilities,
    'authorization_validity', of_row.authorization_validity,
    'settings', of_row.settings,
    'default_currency', of_row.default_currency,
    'processing_region', of_row.processing_region,
    'merchant_account_country_code', of_row.merchant_account_country_code,
    'draining_since', of_row.draining_since at time zone 'UTC',
    'deleted_at', of_row.deleted_at at time zone 'UTC',
    'credentials_hash_digest', encode(sha256(convert_to(of_row.credentials_hash::text, 'UTF8')), 'hex'))
$function$;

CREATE OR REPLACE FUNCTION public.audited_state(of_row operation)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_build_object(
    'id', of_row.id,
    'project_id', of_row.project_id,
    'sandbox', of_row.sandbox,
    'transaction_id', of_row.transaction_id,
    'card_id', of_row.card_id,
    'token_id', of_row.token_id,
    'type', of_row.type,
    'is_attempt', of_row.is_attempt,
    'attempt_operation_id', of_row.attempt_operation_id,
    'corrected_attempt_id', of_row.corrected_attempt_id,
    'outcome', of_row.outcome,
    'has_failed', of_row.has_failed,
    'is_accountable', of_row.is_accountable,
    'amount_minor', of_row.amount_minor,
    'target_total_minor', of_row.target_total_minor,
    'currency', of_row.currency,
    'is_final', of_row.is_final,
    'refund_id', of_row.refund_id,
    'gateway_configuration_id', of_row.gateway_configuration_id,
    'gateway_operation_id', of_row.gateway_operation_id,
    'gateway_authorization_id', of_row.gateway_authorization_id,
    'error_code', of_row.error_code,
    'chargeback_reason', of_row.chargeback_reason,
    'dispute_step', of_row.dispute_step,
    'dispute_id', of_row.dispute_id,
    'disputed_minor', of_row.disputed_minor,
    'reason', of_row.reason,
    'is_sale', of_row.is_sale,
    'actor', of_row.actor,
    'person_id', of_row.person_id,
    'authentication', of_row.authentication,
    'evidence_due_at', of_row.evidence_due_at at time zone 'UTC')
$function$;

CREATE OR REPLACE FUNCTION public.audited_state(of_row person)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_build_object(
    'id', of_row.id,
    'disabled_at', of_row.disabled_at at time zone 'UTC',
    'reset_expires_at', of_row.reset_expires_at at time zone 'UTC',
    'password_hash_digest', encode(sha256(convert_to(of_row.password_hash::text, 'UTF8')), 'hex'),
    'reset_hash_digest', encode(sha256(convert_to(of_row.reset_hash::text, 'UTF8')), 'hex'))
$function$;

CREATE OR REPLACE FUNCTION public.audited_state(of_row project)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_build_object(
    'id', of_row.id,
    'default_currency', of_row.default_currency,
    'accepts_partial_approvals', of_row.accepts_partial_approvals,
    'primary_limit', of_row.primary_limit,
    'secondary_limit', of_row.secondary_limit,
    'sandbox_limit', of_row.sandbox_limit,
    'client_address_limit', of_row.client_address_limit,
    'client_invoice_limit', of_row.client_invoice_limit,
    'allows_client_captures', of_row.allows_client_captures,
    'allows_client_overrides', of_row.allows_client_overrides,
    'allows_client_amounts', of_row.allows_client_amounts,
    'page_origins', of_row.page_origins,
    'blocks_stopped_payments', of_row.blocks_stopped_payments,
    'enforces_retry_after', of_row.enforces_retry_after,
    'requires_second_factor', of_row.requires_second_factor,
    'enforces_network_limits', of_row.enforces_network_limits,
    'visa_reattempts', of_row.visa_reattempts,
    'mastercard_declines_per_day', of_row.mastercard_declines_per_day,
    'mastercard_declines_per_amount', of_row.mastercard_declines_per_amount,
    'client_failures_per_invoice', of_row.client_failures_per_invoice,
    'client_failures_per_card', of_row.client_failures_per_card,
    'client_failures_per_project', of_row.client_failures_per_project,
    'suspended_at', of_row.suspended_at at time zone 'UTC')
$function$;

CREATE OR REPLACE FUNCTION public.audited_state(of_row project_member)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_build_object(
    'id', of_row.id,
    'project_id', of_row.project_id,
    'role', of_row.role)
$function$;

CREATE OR REPLACE FUNCTION public.audited_state(of_row refund)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_build_object(
    'id', of_row.id,
    'project_id', of_row.project_id,
    'sandbox', of_row.sandbox,
    'transaction_id', of_row.transaction_id,
    'operation_id', of_row.operation_id,
    'amount_minor', of_row.amount_minor,
    'currency', of_row.currency,
    'reason', of_row.reason,
    'status', of_row.status,
    'error_code', of_row.error_code,
    'failed_at', of_row.failed_at at time zone 'UTC')
$function$;

CREATE OR REPLACE FUNCTION public.audited_state(of_row rule_set)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_build_object(
    'id', of_row.id,
    'project_id', of_row.project_id,
    'sandbox', of_row.sandbox,
    'version', of_row.version,
    'default_currency', of_row.default_currency,
    'created_by', of_row.created_by,
    'rules_digest', encode(sha256(convert_to(of_row.rules::text, 'UTF8')), 'hex'))
$function$;

CREATE OR REPLACE FUNCTION public.audited_state(of_row transaction)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_build_object(
    'id', of_row.id,
    'project_id', of_row.project_id,
    'sandbox', of_row.sandbox,
    'invoice_id', of_row.invoice_id,
    'customer_id', of_row.customer_id,
    'card_id', of_row.card_id,
    'token_id', of_row.token_id,
    'gateway_name', of_row.gateway_name,
    'gateway_configuration_id', of_row.gateway_configuration_id,
    'gateway_authorization_id', of_row.gateway_authorization_id,
    'scheme_id', of_row.scheme_id,
    'initial_scheme_transaction_id', of_row.initial_scheme_transaction_id,
    'scheme_used', of_row.scheme_used,
    'currency', of_row.currency,
    'status', of_row.status,
    'amount_minor', of_row.amount_minor,
    'authorized_minor', of_row.authorized_minor,
    'captured_minor', of_row.captured_minor,
    'voided_minor', of_row.voided_minor,
    'refunded_minor', of_row.refunded_minor,
    'capturing_minor', of_row.capturing_minor,
    'refunding_minor', of_row.refunding_minor,
    'incremented_minor', of_row.incremented_minor,
    'incremental', of_row.incremental,
    'increment_attempts', of_row.increment_attempts,
    'attempts_count', of_row.attempts_count,
    'captures_count', of_row.captures_count,
    'attempts_in_flight', of_row.attempts_in_flight,
    'orphans', of_row.orphans,
    'disputes', of_row.disputes,
    'needs_attention', of_row.needs_attention,
    'expired', of_row.expired,
    'authorization_validity_ms', of_row.authorization_validity_ms,
    'clock_offset_ms', of_row.clock_offset_ms,
    'auto_capture_amount_minor', of_row.auto_capture_amount_minor,
    'auto_capture_detail_ids', of_row.auto_capture_detail_ids,
    'auto_capture_is_final', of_row.auto_capture_is_final,
    'auto_capture_failures', of_row.auto_capture_failures,
    'received_fraud_notification', of_row.received_fraud_notification,
    'received_retrieval_request', of_row.received_retrieval_request,
    'error_code', of_row.error_code,
    'authentication', of_row.authentication,
    'outcome_unknown_since', of_row.outcome_unknown_since at time zone 'UTC',
    'authorized_at', of_row.authorized_at at time zone 'UTC',
    'authorization_expires_at', of_row.authorization_expires_at at time zone 'UTC',
    'auto_capture_at', of_row.auto_capture_at at time zone 'UTC',
    'auto_capture_retry_at', of_row.auto_capture_retry_at at time zone 'UTC',
    'captured_at', of_row.captured_at at time zone 'UTC',
    'voided_at', of_row.voided_at at time zone 'UTC',
    'refunded_at', of_row.refunded_at at time zone 'UTC') || jsonb_build_object(
    'chargedback_at', of_row.chargedback_at at time zone 'UTC')
$function$;

CREATE OR REPLACE FUNCTION public.blocks_of_card(of_project text, in_sandbox boolean, of_fingerprint text, ends_after timestamp with time zone)
 RETURNS json
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return (
    select coalesce(json_agg(json_build_object(
        'code', code, 'expiresAt', round(extract(epoch from expires_at) * 1000)::float8,
        'gatewayConfigurationId', gateway_configuration_id, 'amountMinor', amount_minor, 'currency', currency)), '[]')
    from advice_block
    where project_id = of_project and sandbox = in_sandbox and card_fingerprint = of_fingerprint
      and expires_at > ends_after);
end
$function$;

CREATE OR REPLACE FUNCTION public.demand_payment_status(id text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
 SET enable_seqscan TO 'off'
AS $function$
begin
  if not exists (select from payment_status where payment_status.invoice_id = id) then
    raise exception 'payment_status has no row of the invoice %', id;
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION public.has_too_many_client_failures(of_project text, in_sandbox boolean, of_fingerprint text, of_invoice integer, since timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
declare
  limits project;
  failures integer;
begin
  select project.* into limits from project where id = of_project;
  if of_invoice >= limits.client_failures_per_invoice then return true; end if;
  if of_fingerprint is not null then
    perform pg_advisory_xact_lock(
      hashtextextended(concat_ws(' ', 'client failures', of_project, in_sandbox, of_fingerprint), 0));
    select count(*) into failures from (
      select from velocity_record
      where project_id = of_project and sandbox = in_sandbox and card_fingerprint = of_fingerprint
        and is_client_failure and created_at > since
      limit limits.client_failures_per_card) counted;
    if failures >= limits.client_failures_per_card then return true; end if;
  end if;
  for turn in 1..2 loop
    select count(*) into failures from (
      select from velocity_record
      where project_id = of_project and sandbox = in_sandbox and is_client_failure and created_at > since
      limit limits.client_failures_per_project) counted;
    exit when turn = 2 or failures * 2 < limits.client_failures_per_project;
    perform pg_advisory_xact_lock(hashtextextended(concat_ws(' ', 'client failures', of_project, in_sandbox), 0));
  end loop;
  return failures >= limits.client_failures_per_project;
end
$function$;

CREATE OR REPLACE FUNCTION public.hold_account()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform from gateway_configuration
  where id = new.gateway_configuration_id and account_version = new.account_version for key share;
  if not found then
    raise exception 'The account of % was changed meanwhile.', new.gateway_configuration_id
      using errcode = 'object_not_in_prerequisite_state';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.hold_commands(operation_ids text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_advisory_xact_lock(hashtextextended('command ' || id, 0))
  from (select distinct unnest(operation_ids) as id order by id) as commands;
end
$function$;

CREATE OR REPLACE FUNCTION public.keep_invoice_status()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
 SET enable_seqscan TO 'off'
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into payment_status (invoice_id, project_id, sandbox, invoice_created_at, currency, expires_at, expired_at)
    values (new.id, new.project_id, new.sandbox, new.created_at, new.currency, new.expires_at, new.expired_at);
  else
    update payment_status set currency = new.currency, expires_at = new.expires_at, expired_at = new.expired_at
    where payment_status.invoice_id = new.id
      and (payment_status.currency, payment_status.expires_at, payment_status.expired_at)
        is distinct from (new.currency, new.expires_at, new.expired_at);
    if not found then perform demand_payment_status(new.id); end if;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.keep_transaction_status()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
 SET enable_seqscan TO 'off'
AS $function$
declare
  next_at constant timestamptz := least(new.next_due_at, new.next_look_up_at);
begin
  update payment_status
  set transaction_id = new.id, transaction_created_at = new.created_at, status = new.status, due_at = next_at
  where payment_status.invoice_id = new.invoice_id
    and (payment_status.status, payment_status.due_at) is distinct from (new.status, next_at);
  if not found then perform demand_payment_status(new.invoice_id); end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.open_payment(of_project text, in_sandbox boolean, of_invoice text, operation_ids text[], ends_attempt text, is_authorization boolean, names_card text, at timestamp with time zone)
 RETURNS json
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET lock_timeout TO '2s'
AS $function$
declare
  locked invoice;
  held card;
begin
  select invoice.* into locked from invoice
  where invoice.project_id = of_project and invoice.sandbox = in_sandbox and invoice.id = of_invoice for update;
  if not found then return null; end if;
  if names_card is not null then
    perform from customer
    where customer.project_id = of_project and customer.sandbox = in_sandbox
      and customer.id = any (array[locked.customer_id, (
        select customer_token.customer_id from customer_token where customer_token.card_id = names_card)])
    for key share;
    select card.* into held from card
    where card.project_id = of_project and card.sandbox = in_sandbox and card.id = names_card for no key update;
  end if;
  perform hold_commands(operation_ids);
  return (
    select json_build_object(
      'invoice', row_to_json(locked),
      'transaction', row_to_json(transaction),
      'operations', (
        select json_agg(row_to_json(operation) order by operation.position) from operation
        where operation.transaction_id = transaction.id),
      'cards', case
        when held.id is not null then json_build_array(row_to_json(held))
        else (
          select json_agg(row_to_json(card)) from card
          where card.project_id = of_project and card.sandbox = in_sandbox
            and card.id = any (array[transaction.card_id, (select card_id from operation where id = ends_attempt)]))
        end,
      'security_code', (
        select case when code.expires_at > at then row_to_json(code) end from card_security_code code
        where code.project_id = of_project and code.sandbox = in_sandbox and code.card_id = names_card),
      'gateway_configurations', (
        select json_agg(row_to_json(gateway_configuration) order by created_at, id) from gateway_configuration
        where gateway_configuration.project_id = of_project and gateway_configuration.sandbox = in_sandbox
          and (is_authorization or gateway_configuration.id = transaction.gateway_configuration_id)),
      'rule_set_id', (
        select rule_set_id from active_rule_set
        where active_rule_set.project_id = of_project and active_rule_set.sandbox = in_sandbox),
      'is_suspended', project.suspended_at is not null,
      'is_withdrawn', exists (select from withdrawn_command where operation_id = any (operation_ids)),
      'accepts_partial_approvals', project.accepts_partial_approvals,
      'options', advice_options(project),
      'blocks', case
        when held.id is not null then blocks_of_card(of_project, in_sandbox, held.fingerprint, at)
        else '[]' end)
    from project
    left join transaction on transaction.project_id = of_project and transaction.sandbox = in_sandbox
      and transaction.invoice_id = of_invoice
    where project.id = of_project);
end
$function$;

CREATE OR REPLACE FUNCTION public.record_audit_act(of_project text, of_sandbox boolean, of_kind text, by_actor text, facts jsonb)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  into_chain constant text := coalesce('project ' || of_project, 'service');
begin
  perform pg_advisory_xact_lock(hashtextextended('audit ' || into_chain, 0));
  perform append_audit_entry(into_chain, of_project, of_sandbox, of_kind, by_actor, facts::text);
end
$function$;

CREATE OR REPLACE FUNCTION public.refuse_change_of_audit()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'The audit log is append only: % of % is refused', lower(tg_op), tg_table_name
    using errcode = 'restrict_violation';
end
$function$;

CREATE OR REPLACE FUNCTION public.refuse_rule_set_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'A rule set is never changed; make another version of it.';
end
$function$;

CREATE OR REPLACE FUNCTION public.remaining_requests(asked_kind text, asked_subject text, asked_limit integer)
 RETURNS integer
 LANGUAGE sql
AS $function$
  select ((now_us + capacity_us - least(greatest(coalesce(stored_us, 0), now_us), now_us + capacity_us))
    / interval_us)::integer
  from (select ceil(60000000.0 / asked_limit)::bigint as interval_us) interval,
    lateral (select interval_us * asked_limit as capacity_us,
                    (extract(epoch from clock_timestamp()) * 1000000)::bigint as now_us) bucket,
    lateral (select (select theoretical_arrival_us from rate_limit_bucket
                      where kind = asked_kind and subject = asked_subject) as stored_us) stored
$function$;

CREATE OR REPLACE FUNCTION public.search_text(text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (regexp_replace(NORMALIZE(casefold(($1 COLLATE pg_unicode_fast)), NFD), '[\u0300-\u036f]'::text, ''::text, 'g'::text) COLLATE "C");

CREATE OR REPLACE FUNCTION public.take_requests(asked_kind text, asked_subject text, asked_limit integer, asked_count integer DEFAULT 1, asked_now_us bigint DEFAULT NULL::bigint, asked_seconds integer DEFAULT 60)
 RETURNS TABLE(place integer, is_allowed boolean, remaining integer, more_in_us bigint)
 LANGUAGE plpgsql
 ROWS 8
 SET lock_timeout TO '1s'
AS $function$
declare
  interval_us constant bigint := ceil(1000000.0 * asked_seconds / asked_limit);
  capacity_us constant bigint := interval_us * asked_limit;
  stored_us bigint;
  arrival_us bigint;
  now_us bigint;
begin
  perform set_config('synchronous_commit', 'off', true);
  loop
    select bucket.theoretical_arrival_us into stored_us from rate_limit_bucket bucket
    where bucket.kind = asked_kind and bucket.subject = asked_subject for no key update;
    exit when found;
    insert into rate_limit_bucket (kind, subject, theoretical_arrival_us) values (asked_kind, asked_subject, 0)
    on conflict do nothing;
  end loop;
  now_us := coalesce(asked_now_us, (extract(epoch from clock_timestamp()) * 1000000)::bigint);
  arrival_us := least(greatest(stored_us, now_us), now_us + capacity_us);
  for nth in 1..asked_count loop
    place := nth;
    is_allowed := arrival_us + interval_us <= now_us + capacity_us;
    if is_allowed then arrival_us := arrival_us + interval_us; end if;
    remaining := (now_us + capacity_us - arrival_us) / interval_us;
    -- Time until `remaining` grows by one: for a refused request, until it would be admitted.
    more_in_us := arrival_us - now_us - capacity_us + (remaining + 1) * interval_us;
    return next;
  end loop;
  -- Refused requests change the bucket only after the clock was set back: the bucket is then empty and fills from now.
  if arrival_us <> stored_us then
    update rate_limit_bucket bucket set theoretical_arrival_us = arrival_us
    where bucket.kind = asked_kind and bucket.subject = asked_subject;
  end if;
end
$function$;
