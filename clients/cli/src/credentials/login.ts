import type { Command } from 'commander'
import { PermissionError } from '../../../node/src/index.ts'
import { defineCommand } from '../define-command.ts'
import { CannotError } from '../failures.ts'
import { type Io, readInput } from '../io.ts'
import { show } from '../output/show.ts'
import {
  CREDENTIALS_FILE,
  type Credentials,
  clientOf,
  fileOf,
  isSandbox,
  keptCredentials,
  NAMES,
  sandboxCredentials,
} from './credentials.ts'
import { keep } from './files.ts'
import { ask } from './prompt.ts'

interface LoginOptions {
  url?: string
  projectId?: string
  json?: boolean
}

export function addLogin(program: Command, io: Io): void {
  defineCommand(io, program, 'login', {
    summary: 'Keep the address of the service, a project and its secret key',
    details:
      'Asks for what is not given, tries it, and keeps it in a file that only you can read. The key is typed unseen, or\n' +
      'read from a pipe; it is no argument, since others could see those. In a checkout the sandbox of npm start is offered.',
    examples: ['login', 'login --url https://payments.example --project-id proj_… < key-file'],
  })
    .option('--url <address>', 'where the service is')
    .option('--project-id <id>', 'proj_…, or test-proj_… in the sandbox')
    .action(async (options: LoginOptions) => {
      const given = await (io.stdin.isTTY ? askFor(io, options) : readFrom(io, options))
      await check(io, given)
      const path = await keep(io, CREDENTIALS_FILE, fileOf(given))
      const { apiUrl, projectId } = given
      const environment = isSandbox(given) ? 'sandbox' : 'live'
      const answer = { base_url: apiUrl, project_id: projectId, environment, file: path }
      show(io, options, answer, () => `Logged in to ${projectId} (${environment}) at ${apiUrl}.\nKept in ${path}.`)
    })
}

async function askFor(io: Io, options: LoginOptions): Promise<Credentials> {
  const offers = await offersOf(io)
  const [first] = offers
  const apiUrl =
    options.url ?? (await ask(io, 'Address of the service', { offered: first?.apiUrl ?? 'http://127.0.0.1:3000' }))
  const ofAddress = offers.find((offer) => offer.apiUrl === apiUrl)
  const projectId = options.projectId ?? (await ask(io, 'Project id', { offered: ofAddress?.projectId ?? '' }))
  const known = knownAs(offers, apiUrl, projectId)
  const hint = known === undefined ? '' : 'the one that is known'
  const secretKey = await ask(io, 'Secret key, which is not shown', {
    offered: known?.secretKey ?? '',
    isHidden: true,
    hint,
  })
  return complete({ apiUrl, projectId, secretKey }, known)
}

async function readFrom(io: Io, options: LoginOptions): Promise<Credentials> {
  const offers = await offersOf(io)
  const [first] = offers
  const apiUrl = options.url ?? first?.apiUrl ?? ''
  const projectId = options.projectId ?? offers.find((offer) => offer.apiUrl === apiUrl)?.projectId ?? ''
  const known = knownAs(offers, apiUrl, projectId)
  const secretKey = (await readInput(io)).trim() || (known?.secretKey ?? '')
  return complete({ apiUrl, projectId, secretKey }, known)
}

/** What needs not be typed: the sandbox of this checkout, and the last login. */
async function offersOf(io: Io): Promise<Credentials[]> {
  const found = [await sandboxCredentials(io), await keptCredentials(io).catch(() => undefined)]
  return found.filter((one) => one !== undefined)
}

/** A key that is known is for its own address and project only. */
function knownAs(offers: readonly Credentials[], apiUrl: string, projectId: string): Credentials | undefined {
  return offers.find((offer) => offer.apiUrl === apiUrl && offer.projectId === projectId)
}

function complete(given: Omit<Credentials, 'origin' | 'temporalUiUrl'>, known: Credentials | undefined): Credentials {
  const missing = (['apiUrl', 'projectId', 'secretKey'] as const).filter((name) => given[name] === '')
  if (missing.length > 0) {
    const names = missing.map((name) => NAMES.login[name])
    throw new CannotError(`${names.join(' and ')} must be given: nothing is known yet.`)
  }
  return { ...given, origin: 'login', temporalUiUrl: known?.temporalUiUrl ?? null }
}

/** @throws HoldfastError where the service does not let it in. */
async function check(io: Io, given: Credentials): Promise<void> {
  try {
    await clientOf(io, given, { maxRetries: 0 }).invoices.list({ limit: 1 })
  } catch (error) {
    // A key that may not read is a key nevertheless.
    if (!(error instanceof PermissionError)) throw error
  }
}
