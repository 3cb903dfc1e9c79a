-- An attempt that read the account before a change and is written after it would go to the old account. So the account
-- is locked until the attempt commits, as its foreign key would lock it; a change of the account waits.
create or replace function hold_account() returns trigger language plpgsql as $$
begin
  perform from gateway_configuration
  where id = new.gateway_configuration_id and account_version = new.account_version for key share;
  if not found then
    raise exception 'The account of % was changed meanwhile.', new.gateway_configuration_id
      using errcode = 'object_not_in_prerequisite_state';
  end if;
  return new;
end
$$;

create or replace trigger hold_account before insert on operation for each row
  when (new.account_version is not null) execute function hold_account();
