import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { addMember } from '../persistence/queries/people/members.ts'
import { createPerson, findPersonByEmail } from '../persistence/queries/people/people.ts'
import { findApiKey } from '../persistence/queries/projects/api-keys.ts'
import { createProject } from '../persistence/queries/projects/projects.ts'
import { hashPassword, isPassword, makePassword } from '../vault/password.ts'
import type { Core } from './core.ts'

/** What a person or a script on this machine needs to call the service. */
const sandboxSchema = z.object({
  base_url: z.string(),
  /** `test-proj_…`: the prefix says that the key is one of the sandbox. */
  project_id: z.string().startsWith('test-proj_'),
  secret_key: z.string().min(1),
  /** The first account of the dashboard. */
  dashboard_email: z.string().min(1),
  /** Null as soon as its owner has chosen another one. */
  dashboard_password: z.string().min(1).nullable(),
  /** Null where it is switched off. */
  temporal_ui_url: z.string().nullable(),
  temporal_address: z.string(),
})

export type Sandbox = z.infer<typeof sandboxSchema>

/**
 * Requests a minute. Only the developer of this machine uses the project: a load test is no attack, and 1,000 a second is
 * more than one machine answers.
 */
const DEVELOPER_LIMIT = 60_000

type Credentials = Pick<Sandbox, 'project_id' | 'secret_key' | 'dashboard_email' | 'dashboard_password'>

/** Of nobody: `example.com` is for documentation (RFC 2606). */
const EMAIL = 'owner@example.com'

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
  const { project_id, secret_key, dashboard_email, dashboard_password } = credentials
  const sandbox = {
    ...addresses,
    project_id,
    secret_key,
    dashboard_email,
    dashboard_password: (await isStillThePassword(core, credentials)) ? dashboard_password : null,
  }
  await writeSandboxFile(dataFolder, sandbox)
  return sandbox
}

async function isKnown({ orm, vault }: Core, { project_id, secret_key }: Credentials): Promise<boolean> {
  const key = await findApiKey(orm.em.fork(), vault.hashSecret(secret_key))
  return key?.sandbox === true && `test-${key.projectId}` === project_id
}

async function isStillThePassword({ orm }: Core, { dashboard_email, dashboard_password }: Credentials) {
  if (dashboard_password === null) return false
  const person = await findPersonByEmail(orm.em.fork(), dashboard_email)
  return isPassword(dashboard_password, person?.passwordHash ?? null)
}

async function createSandbox({ orm, vault, randomBytes, clock }: Core): Promise<Credentials> {
  const now = clock.now()
  const { projectId, secretKey } = await createProject(orm.em.fork(), {
    name: 'Sample shop',
    sandbox: true,
    randomBytes,
    hashSecret: vault.hashSecret,
    now,
    limits: { sandboxLimit: DEVELOPER_LIMIT },
    // That of the guides, whose rules and amounts name none.
    defaultCurrency: 'EUR',
  })
  const password = makePassword(randomBytes)
  const passwordHash = await hashPassword(password)
  const isNew = await orm.em.fork().transactional(async (em) => {
    const account = { email: EMAIL, name: 'Sandbox owner', passwordHash }
    const created = await createPerson(em, { ...account, actor: 'service', randomBytes, now })
    const { id: personId } = created ?? (await findPersonByEmail(em, EMAIL)) ?? {}
    if (personId === undefined) throw new Error('An account is neither new nor there.')
    await addMember(em, { projectId, personId, role: 'owner', actor: 'service', now })
    return created !== null
  })
  return {
    project_id: `test-${projectId}`,
    secret_key: secretKey,
    dashboard_email: EMAIL,
    // Where only the file was lost, the account of before keeps its password.
    dashboard_password: isNew ? password : null,
  }
}

function sandboxFile(dataFolder: string): string {
  return join(dataFolder, 'sandbox.json')
}

/** The file of an earlier start; undefined where there is none, or one that cannot be used. */
async function readSandboxFile(dataFolder: string): Promise<Sandbox | undefined> {
  try {
    return sandboxSchema.parse(JSON.parse(await readFile(sandboxFile(dataFolder), 'utf8')))
  } catch {
    return undefined
  }
}

/** Replaces the file whole; it holds a secret key, so only its owner can read it. */
async function writeSandboxFile(dataFolder: string, sandbox: Sandbox): Promise<void> {
  const unfinished = `${sandboxFile(dataFolder)}.${randomBytes(4).toString('hex')}`
  await writeFile(unfinished, `${JSON.stringify(sandbox, null, 2)}\n`, { mode: 0o600 })
  await rename(unfinished, sandboxFile(dataFolder))
}
