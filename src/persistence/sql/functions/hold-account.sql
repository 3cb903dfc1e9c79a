-- An attempt that read the account before a change of it and is written afterwards would go to the account before. So the
-- account is held until the attempt is committed, as its foreign key would hold it then, and whoever changes it waits for that.
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
