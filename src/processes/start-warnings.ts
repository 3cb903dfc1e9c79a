import { stat } from 'node:fs/promises'
import { type Config, misspeltSettings } from '../config.ts'
import { keysFile } from '../keys/keys-file.ts'
import type { Logger } from '../logger.ts'
import { hostInPlain } from '../persistence/database-tls.ts'
import { isThisMachine } from '../this-machine.ts'
import type { Core } from './core.ts'

/** What a process finds about itself when it starts. */
export interface Circumstances {
  config: Pick<Config, 'host' | 'publicUrl' | 'databaseUrl' | 'temporalAddress' | 'trustedProxies' | 'sandboxHosts'>
  hasApi: boolean
  encryptsPayloads: boolean
  allowPrivateWebhookTargets: boolean
  /** Whether users of this machine other than the owner may read the file of the keys. */
  sharesKeysFile: boolean
  /** Whether the user of the database may change the tables. */
  ownsTables: boolean
}

/** Browsers find names such as `shop.localhost` here as well. */
const isLocal = (host: string) => isThisMachine(host) || host.endsWith('.localhost')

const isPublic = ({ config: { publicUrl } }: Circumstances) =>
  publicUrl !== undefined && !isLocal(new URL(publicUrl).hostname)

const isEmbedded = ({ config: { databaseUrl, temporalAddress } }: Circumstances) =>
  databaseUrl === undefined && temporalAddress === undefined

/** Whether others can reach the sandbox of a machine, which is made for nobody else. */
const isSharedSandbox = (found: Circumstances) => isEmbedded(found) && (isPublic(found) || !isLocal(found.config.host))

/** Whether it may be the service of a merchant, and not the sandbox of a developer. */
const isService = (found: Circumstances) => !isEmbedded(found) || isSharedSandbox(found)

/** What is dangerous with real payments, though a process starts with it. */
export const DANGERS: readonly { warning: string; holds(found: Circumstances): boolean }[] = [
  {
    warning:
      'npm start without DATABASE_URL and TEMPORAL_ADDRESS is the sandbox of one machine, and others can reach it: it shows its password and a secret key.',
    holds: isSharedSandbox,
  },
  {
    warning: 'PUBLIC_URL is http: cards, keys and passwords travel in plain. Give the https address.',
    holds: (found) => isPublic(found) && found.config.publicUrl?.startsWith('http:') === true,
  },
  {
    warning: 'PUBLIC_URL is https and TRUSTED_PROXIES is 0: all callers share the limits of the proxy in front.',
    holds: ({ hasApi, config }) =>
      hasApi && config.publicUrl?.startsWith('https:') === true && config.trustedProxies === 0,
  },
  {
    warning:
      'Payloads are not encrypted: whoever can read Temporal, its UI or its database, reads what is in them. Set PAYLOAD_ENCRYPTION=on.',
    holds: (found) => isService(found) && !found.encryptsPayloads,
  },
  {
    warning:
      'DANGEROUSLY_ALLOW_PRIVATE_WEBHOOK_TARGETS holds: merchants can have requests sent into the network of this process.',
    holds: (found) => isService(found) && found.allowPrivateWebhookTargets,
  },
  {
    warning:
      'SANDBOX_STRIPE_URL or SANDBOX_ADYEN_URL is set: payments of the sandbox go to a stand-in on this machine, and never to the gateway.',
    holds: ({ config: { sandboxHosts } }) => sandboxHosts.stripe !== null || sandboxHosts.adyen !== null,
  },
  {
    warning: 'Other users of this machine can read keys.json: chmod 600 it, and consider its keys as known.',
    holds: ({ sharesKeysFile }) => sharesKeysFile,
  },
  {
    warning:
      'The user of DATABASE_URL owns the tables, and so could change the audit log: give the service a user of its own, see docs/audit.md.',
    holds: (found) => !isEmbedded(found) && found.ownsTables,
  },
  {
    warning: 'The connection to PostgreSQL is not encrypted: add sslmode=verify-full to DATABASE_URL.',
    holds: ({ config: { databaseUrl } }) => databaseUrl !== undefined && hostInPlain(databaseUrl) !== null,
  },
]

/** Warns of all dangers that hold, a line each. */
export async function warnOfDangers(
  { orm, logger }: Pick<Core, 'orm' | 'logger'>,
  found: Omit<Circumstances, 'sharesKeysFile' | 'ownsTables'> & { config: Config },
): Promise<void> {
  const { keys, dataFolder } = found.config
  // Where there is no file, the keys were in the environment.
  const mode = keys === undefined ? (await stat(keysFile(dataFolder))).mode : 0
  const [table] = await orm.em
    .fork()
    .execute<{ owns: boolean }[]>(
      "select pg_has_role(relowner, 'member') as owns from pg_class where oid = 'audit_entry'::regclass",
    )
  const circumstances = { ...found, sharesKeysFile: (mode & 0o077) !== 0, ownsTables: table?.owns === true }
  for (const { warning, holds } of DANGERS) if (holds(circumstances)) logger.warn(warning)
}

/** Warns of variables that nothing reads and that are called almost like a setting. */
export function warnOfMisspeltSettings(logger: Logger): void {
  for (const { name, setting } of misspeltSettings())
    logger.warn(`${name} is no setting and was ignored; did you mean ${setting}?`)
}
