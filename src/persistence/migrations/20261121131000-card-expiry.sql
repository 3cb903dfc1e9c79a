alter table card
  -- The expiry that the merchant was told of as being near, as year * 100 + month.
  add column expiry_told integer;
-- What is left to be told of: the cards of stored sources. A card that was told of is not in it until its expiry changes.
create index card_expiry_untold on card (exp_year, exp_month, id)
  where used_by_token_id is not null and deleted_at is null and expiry_told is distinct from exp_year * 100 + exp_month;
