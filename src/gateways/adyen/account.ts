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
