-- True where a client's attempt exceeds the limit of failed attempts. Attempts with the same card wait for each other
-- until the database transaction ends, so that concurrent ones count. Attempts of one project wait only from half of
-- its limit on: below that, as many would have to begin at the same instant to exceed it. Each count is a statement of
-- its own, so that it sees what the last holder of the lock wrote.
create or replace function has_too_many_client_failures(
  of_project text, in_sandbox boolean, of_fingerprint text, of_invoice integer, since timestamptz
) returns boolean language plpgsql set enable_seqscan = off as $$
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
$$;
