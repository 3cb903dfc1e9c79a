import { findApiKey } from '../persistence/queries/projects/api-keys.ts'
import { createProject } from '../persistence/queries/projects/create-project.ts'
import type { Core } from './core.ts'
import { readSandboxFile, type Sandbox, writeSandboxFile } from './sandbox-file.ts'

/**
 * Requests a minute. Only the developer of this machine uses the project: a load test is no attack, and 1,000 a second is
 * more than one machine answers.
 */
const DEVELOPER_LIMIT = 60_000

type Credentials = Pick<Sandbox, 'project_id' | 'secret_key'>

/**
 * Gives the sandbox project of a machine where everything is embedded: the one of the first start, whose key only the
 * file remembers, or a new one where file or database were removed. Writes the file with today's addresses.
 */
export async function provideSandbox(
  core: Core,
  dataFolder: string,
  addresses: Omit<Sandbox, keyof Credentials>,
): Promise<Sandbox> {
  const earlier = await readSandboxFile(dataFolder)
  const credentials = earlier !== undefined && (await isKnown(core, earlier)) ? earlier : await createSandbox(core)
  const sandbox = {
    base_url: addresses.base_url,
    project_id: credentials.project_id,
    secret_key: credentials.secret_key,
    temporal_ui_url: addresses.temporal_ui_url,
    temporal_address: addresses.temporal_address,
  }
  await writeSandboxFile(dataFolder, sandbox)
  return sandbox
}

async function isKnown({ orm, vault }: Core, { project_id, secret_key }: Credentials): Promise<boolean> {
  const key = await findApiKey(orm.em.fork(), vault.hashSecret(secret_key))
  return key?.sandbox === true && `test-${key.projectId}` === project_id
}

async function createSandbox({ orm, vault, randomBytes, clock }: Core): Promise<Credentials> {
  const { projectId, secretKey } = await createProject(orm.em.fork(), {
    name: 'Sandbox',
    sandbox: true,
    randomBytes,
    hashSecret: vault.hashSecret,
    now: clock.now(),
    limits: { sandboxLimit: DEVELOPER_LIMIT },
  })
  return { project_id: `test-${projectId}`, secret_key: secretKey }
}
