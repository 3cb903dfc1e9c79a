-- A version of routing rules never changes, so that a payment's rule_set_id always shows the rules that routed it.
create or replace function refuse_rule_set_change() returns trigger language plpgsql as $$
begin
  raise exception 'A rule set is never changed; make another version of it.';
end
$$;

create or replace trigger immutable before update on rule_set for each row execute function refuse_rule_set_change();
