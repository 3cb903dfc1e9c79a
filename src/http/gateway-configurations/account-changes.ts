import { environmentOf } from '../../../domain/environment.ts'
import { findAccountProblem, type InstalledGateway } from '../../gateways/account.ts'
import type { GatewayConfigurationRow } from '../../persistence/entities/gateway-configuration.ts'
import type { AppDeps } from '../dependencies.ts'
import { invalidInput } from '../schemas/fields/input.ts'
import type { ConfigurationInput } from '../schemas/gateway-configuration-input.ts'

type Values = Readonly<Record<string, string>>
type Changes = Readonly<Record<string, string | null>>

/** The columns that say what opens an account, and what else its adapter is told. */
export type AccountColumns = Pick<
  GatewayConfigurationRow,
  'credentialsCiphertext' | 'credentialsKeyId' | 'credentialsHash' | 'credentialsSetAt' | 'settings'
>

type Deps = Pick<AppDeps, 'vault' | 'clock' | 'allowPrivateWebhookTargets'>

/** Nothing is set yet. */
export const EMPTY_ACCOUNT: AccountColumns = {
  credentialsCiphertext: null,
  credentialsKeyId: null,
  credentialsHash: null,
  credentialsSetAt: {},
  settings: {},
}

/**
 * The account as a request changes it: each credential and setting that it names takes the place of the one of that name,
 * and null takes it away. The adapter has judged the whole.
 *
 * @throws ApiError where the gateway could not be used with the account.
 */
export function changeAccount(
  deps: Deps,
  gateway: InstalledGateway,
  row: Pick<GatewayConfigurationRow, 'id' | 'sandbox'> & AccountColumns,
  { credentials = {}, settings = {} }: Pick<ConfigurationInput, 'credentials' | 'settings'>,
): AccountColumns {
  const known = deps.vault.openCredentials(row)
  const account = { credentials: merged(known, credentials), settings: merged(row.settings, settings) }
  refuseProblem(deps, gateway, row, account)
  if (Object.keys(credentials).length === 0) return { ...accountOf(row), settings: account.settings }
  const names = Object.keys(account.credentials)
  if (names.length === 0) return { ...EMPTY_ACCOUNT, settings: account.settings }
  const { ciphertext, keyId, hash } = deps.vault.sealCredentials(row.id, account.credentials)
  const now = deps.clock.now().toISOString()
  const setAt = (name: string) => (credentials[name] == null ? (row.credentialsSetAt[name] ?? now) : now)
  return {
    credentialsCiphertext: ciphertext,
    credentialsKeyId: keyId,
    credentialsHash: hash,
    credentialsSetAt: Object.fromEntries(names.sort().map((name) => [name, setAt(name)])),
    settings: account.settings,
  }
}

function accountOf(row: AccountColumns): AccountColumns {
  const { credentialsCiphertext, credentialsKeyId, credentialsHash, credentialsSetAt, settings } = row
  return { credentialsCiphertext, credentialsKeyId, credentialsHash, credentialsSetAt, settings }
}

function merged(known: Values, changes: Changes): Values {
  const all: [string, string | null][] = Object.entries({ ...known, ...changes })
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== null))
}

function refuseProblem(
  { allowPrivateWebhookTargets }: Deps,
  gateway: InstalledGateway,
  { sandbox }: Pick<GatewayConfigurationRow, 'sandbox'>,
  account: { credentials: Values; settings: Values },
): void {
  const problem = findAccountProblem(gateway, {
    ...account,
    environment: environmentOf(sandbox),
    allowsOwnMachine: allowPrivateWebhookTargets,
  })
  if (problem === null) return
  throw invalidInput([{ name: problem.path, message: problem.message, code: 'request.validation.error' }])
}
