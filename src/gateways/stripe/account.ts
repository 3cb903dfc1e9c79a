import { ALL_CAPABILITIES, type Capabilities } from '../../../domain/capabilities.ts'
import type { Environment } from '../../../domain/environment.ts'
import type { AccountProblem, InstalledGateway } from '../account.ts'

/** Stripe releases an authorization as a whole, or what captures have left of it. */
export const STRIPE_CAPABILITIES: Capabilities = { ...ALL_CAPABILITIES, partialVoid: false }

/** The mode is part of every key. Source: Stripe's page "API keys". */
const MODE_OF: Readonly<Record<Environment, 'test' | 'live'>> = { sandbox: 'test', live: 'live' }

const SECRET_KEY = /^[rs]k_(test|live)_\w+$/
const PUBLISHABLE_KEY = /^pk_(test|live)_\w+$/
const WEBHOOK_SECRET = /^whsec_\w+$/
const ACCOUNT = /^acct_\w+$/

/** Words that settings may be. */
const WORDS: Readonly<Record<string, string>> = { multicapture: 'never', mit_exemption: 'enabled' }

/** A merchant's account at Stripe as a gateway configuration describes it; what the names mean is in the README. */
export const STRIPE: InstalledGateway = {
  name: 'stripe',
  displayName: 'Stripe',
  capabilities: STRIPE_CAPABILITIES,
  credentialNames: ['secret_key', 'webhook_secret'],
  settingNames: ['account', 'multicapture', 'mit_exemption', 'publishable_key'],
  accountSettings: ['account'],
  callKeys: ['secret_key'],
  publicSettings: ['publishable_key'],
  // What is captured in the last second of a day may be booked on the next one.
  settlement: { source: 'list', graceMs: 24 * 60 * 60 * 1000 },
  accountProblem({ environment, credentials, settings }) {
    const { secret_key: secretKey, webhook_secret: webhookSecret } = credentials
    const { publishable_key: publishableKey, account } = settings
    return (
      keyProblem('credentials.secret_key', secretKey, SECRET_KEY, environment) ??
      (webhookSecret === undefined || WEBHOOK_SECRET.test(webhookSecret)
        ? null
        : { path: 'credentials.webhook_secret', message: 'must begin with whsec_' }) ??
      (publishableKey === undefined
        ? null
        : keyProblem('settings.publishable_key', publishableKey, PUBLISHABLE_KEY, environment)) ??
      (account === undefined || ACCOUNT.test(account)
        ? null
        : { path: 'settings.account', message: 'must begin with acct_' }) ??
      wordProblem(settings)
    )
  },
}

function keyProblem(
  path: string,
  key: string | undefined,
  form: RegExp,
  environment: Environment,
): AccountProblem | null {
  if (key === undefined) return { path, message: 'is missing' }
  const mode = form.exec(key)?.[1]
  if (mode === undefined) return { path, message: 'is no key of Stripe of this kind' }
  if (mode === MODE_OF[environment]) return null
  return { path, message: `is a ${mode}-mode key, and this is the ${environment} environment` }
}

function wordProblem(settings: Readonly<Record<string, string>>): AccountProblem | null {
  const [name] = Object.keys(WORDS).filter((each) => settings[each] !== undefined && settings[each] !== WORDS[each])
  return name === undefined ? null : { path: `settings.${name}`, message: `can only be ${WORDS[name]}` }
}
