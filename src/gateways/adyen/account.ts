import { ALL_CAPABILITIES, type Capabilities } from '../../../domain/capabilities.ts'
import type { Environment } from '../../../domain/environment.ts'
import type { InstalledGateway } from '../account.ts'

/**
 * An account that may capture in several parts keeps the rest of an authorization after each of them, and a cancel knows no
 * amount: one capture, which releases the rest, is what every account has.
 */
export const ADYEN_CAPABILITIES: Capabilities = { ...ALL_CAPABILITIES, multipleCaptures: false, partialVoid: false }

/** A merchant account at Adyen as a gateway configuration describes it. */
export interface AdyenAccount {
  merchantAccount: string
  environment: 'TEST' | 'LIVE'
  /** The prefix of the company's own live host names; null on the test hosts, which are shared. */
  liveEndpointUrlPrefix: string | null
  apiKey: string
  /** Where Adyen sends the customer back to; Adyen wants one on every payment, also where nothing redirects. */
  returnUrl: string
  /** What a payment without the customer counts as. */
  recurringProcessingModel: RecurringProcessingModel
  /** The account may send card numbers in the clear, or only the test host's marked ones. */
  cardData: 'raw' | 'test-encrypted'
  /** The issuer may approve a part of the amount. */
  allowsPartialApproval: boolean
}

const RECURRING_PROCESSING_MODELS = ['Subscription', 'CardOnFile', 'UnscheduledCardOnFile'] as const
type RecurringProcessingModel = (typeof RECURRING_PROCESSING_MODELS)[number]

/** Written into a host name, so it may hold nothing that ends one. */
const URL_PREFIX = /^[0-9a-z]+(-[0-9a-zA-Z]+)*$/i

type Values = Readonly<Record<string, string>>

/** Reads an account; the name of the first value that is missing or unusable where there is one. */
export function readAccount(credentials: Values, settings: Values): AdyenAccount | { problem: string } {
  const { apiKey } = credentials
  const { merchantAccount, returnUrl, liveEndpointUrlPrefix = null } = settings
  if (apiKey === undefined || apiKey === '') return { problem: 'apiKey' }
  if (merchantAccount === undefined || merchantAccount === '') return { problem: 'merchantAccount' }
  if (returnUrl === undefined || !URL.canParse(returnUrl)) return { problem: 'returnUrl' }
  const environment = ENVIRONMENTS[settings.environment ?? '']
  if (environment === undefined) return { problem: 'environment' }
  if (environment === 'LIVE' && !URL_PREFIX.test(liveEndpointUrlPrefix ?? ''))
    return { problem: 'liveEndpointUrlPrefix' }
  const wanted = settings.recurringProcessingModel ?? 'UnscheduledCardOnFile'
  const recurringProcessingModel = RECURRING_PROCESSING_MODELS.find((model) => model === wanted)
  if (recurringProcessingModel === undefined) return { problem: 'recurringProcessingModel' }
  const cardData = settings.cardData ?? 'raw'
  if (cardData !== 'raw' && (cardData !== 'test-encrypted' || environment === 'LIVE')) return { problem: 'cardData' }
  return {
    merchantAccount,
    environment,
    liveEndpointUrlPrefix: environment === 'LIVE' ? liveEndpointUrlPrefix : null,
    apiKey,
    returnUrl,
    recurringProcessingModel,
    cardData,
    allowsPartialApproval: settings.allowPartialApproval === 'true',
  }
}

const ENVIRONMENTS: Readonly<Record<string, AdyenAccount['environment']>> = { test: 'TEST', live: 'LIVE' }

/** The test hosts move no money, and the live hosts nothing else. */
const HOSTS_OF: Readonly<Record<Environment, 'test' | 'live'>> = { sandbox: 'test', live: 'live' }

/** 32 bytes as hexadecimal digits, as the Customer Area makes them. A key that is cut short would be easy to guess. */
export const HMAC_KEY = /^[0-9a-f]{64}$/i

const MESSAGES: Readonly<Record<string, string>> = {
  'settings.returnUrl': 'must be an absolute address',
  'settings.environment': 'must be test or live',
  'settings.liveEndpointUrlPrefix': "must be the prefix of the company's own hosts",
  'settings.recurringProcessingModel': `must be one of ${RECURRING_PROCESSING_MODELS.join(', ')}`,
  'settings.cardData': 'must be raw, or test-encrypted on the test hosts',
}

/** A merchant account at Adyen for whoever sets one up; what the names mean is in the README. */
export const ADYEN: InstalledGateway = {
  name: 'adyen',
  displayName: 'Adyen',
  capabilities: ADYEN_CAPABILITIES,
  credentialNames: ['apiKey', 'hmacKey', 'previousHmacKey'],
  settingNames: [
    'merchantAccount',
    'environment',
    'liveEndpointUrlPrefix',
    'returnUrl',
    'recurringProcessingModel',
    'cardData',
    'allowPartialApproval',
    'clientKey',
  ],
  accountSettings: ['merchantAccount', 'environment', 'liveEndpointUrlPrefix'],
  callKeys: ['apiKey'],
  publicSettings: ['clientKey'],
  // A report comes with each payout, of what was captured some days before.
  settlement: { source: 'file', graceMs: 10 * 24 * 60 * 60 * 1000 },
  accountProblem({ environment, credentials, settings }) {
    const account = readAccount(credentials, settings)
    if ('problem' in account) {
      const path = account.problem === 'apiKey' ? 'credentials.apiKey' : `settings.${account.problem}`
      const isMissing = (credentials[account.problem] ?? settings[account.problem]) === undefined
      return { path, message: isMissing ? 'is missing' : (MESSAGES[path] ?? 'cannot be used') }
    }
    if (settings.environment !== HOSTS_OF[environment])
      return {
        path: 'settings.environment',
        message: `must be ${HOSTS_OF[environment]} in the ${environment} environment`,
      }
    const unusable = (['hmacKey', 'previousHmacKey'] as const).find(
      (name) => credentials[name] !== undefined && !HMAC_KEY.test(credentials[name]),
    )
    if (unusable !== undefined) return { path: `credentials.${unusable}`, message: 'must be 64 hexadecimal digits' }
    const { allowPartialApproval = 'false' } = settings
    return ['true', 'false'].includes(allowPartialApproval)
      ? null
      : { path: 'settings.allowPartialApproval', message: 'must be true or false' }
  },
}
