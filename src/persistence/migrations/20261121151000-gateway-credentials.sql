-- A merchant's account at a gateway, as the merchant sets it up.
alter table gateway_configuration
  -- One JSON document of secrets by their names, sealed, with the key that it needs.
  add column credentials_ciphertext bytea,
  add column credentials_key_id text,
  -- A keyed hash of the document: by it the audit log knows that the secrets are others, and nothing of them.
  add column credentials_hash text check (credentials_hash ~ '^[0-9a-f]{64}$'),
  -- When each of them was set, by their names.
  add column credentials_set_at jsonb not null default '{}',
  -- What else the adapter is told; nothing of it is secret.
  add column settings jsonb not null default '{}',
  add column default_currency text,
  add column processing_region text,
  add column merchant_account_country_code text,
  add column metadata jsonb not null default '{}',
  add column enabled_at timestamptz,
  -- A deleted one stays for the books, and for what is still to be done there.
  add column deleted_at timestamptz,
  add constraint credentials_are_whole check (
    (credentials_ciphertext is null) = (credentials_key_id is null)
    and (credentials_ciphertext is null) = (credentials_hash is null)
    and (credentials_ciphertext is not null or credentials_set_at = '{}')),
  add constraint deleted_takes_nothing_new check (deleted_at is null or not enabled);

update gateway_configuration set enabled_at = case when enabled then created_at end;
