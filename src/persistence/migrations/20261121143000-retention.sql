-- What is kept for a time only goes in small batches, oldest first, so every such table is found by its age.

-- Rows are deleted and their room is used again, so that blocks hold rows of every age: no summary of them helps for long.
drop index api_request_age;
create index api_request_age on api_request (created_at);
create index delivery_attempt_age on delivery_attempt (started_at);
create index withdrawn_command_age on withdrawn_command (created_at);

-- The number of a card that nobody stored goes when no payment needs it any more; the row stays, and says when.
alter table card
  add column number_erased_at timestamptz,
  drop constraint deleted_card_has_no_number,
  add constraint number_goes_once check (
    case when deleted_at is null and number_erased_at is null
      then number_ciphertext is not null and number_key_id is not null
      else number_ciphertext is null and number_key_id is null
    end
  );
create index card_number_age on card (created_at, id)
  where number_ciphertext is not null and used_by_token_id is null;

-- What is sealed under which key, for their rotation. Security codes and secrets of endpoints are few.
create index card_number_key on card (number_key_id, id) where number_ciphertext is not null;
-- Answers that tell the secret of an endpoint are kept with the secret sealed: its ciphertext and the id of its key.
create index idempotency_key_sealed on idempotency_key (id) where body like '%"secret":["%';
