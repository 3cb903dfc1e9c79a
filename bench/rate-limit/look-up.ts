import type { EntityManager } from '../../src/persistence/orm.ts'

/**
 * `admit_requests` without the limiter: what a request costs that must find its key, its permissions and its limit anyhow.
 * What a limiter in the memory of the processes could save is the difference between the two.
 */
const INSTALL = `
  create function look_up_key(
    asked_project_id text, asked_secret_hash text, means_sandbox boolean, is_secondary boolean
  ) returns table (
    api_key_id text, sandbox boolean, permissions text[], is_suspended boolean, kind text, "limit" integer
  ) language plpgsql as $$
  #variable_conflict use_column
  begin
    return query
    select api_key.id, api_key.sandbox, api_key.permissions, project.suspended_at is not null,
           case when api_key.sandbox then 'sandbox' when is_secondary then 'secondary' else 'primary' end,
           case when api_key.sandbox then sandbox_limit when is_secondary then secondary_limit else primary_limit
           end::integer
    from api_key join project on project.id = api_key.project_id
    where api_key.secret_hash = asked_secret_hash and project.id = asked_project_id
      and api_key.revoked_at is null and (api_key.sandbox or not means_sandbox);
  end
  $$;`

export const LOOK_UP = 'select * from look_up_key(?, ?, ?, ?)'

export async function installLookUp(em: EntityManager): Promise<void> {
  await em.execute(INSTALL)
}
