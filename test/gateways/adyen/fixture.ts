import { makeIdentifier } from '../../../domain/identifiers.ts'
import type { AuthorizeRequest, GatewayCard } from '../../../src/gateways/gateway.ts'
import { API_KEY, HMAC_KEY } from '../../../stand-ins/adyen/adyen.ts'
import { MERCHANT_ACCOUNT } from '../../../stand-ins/adyen/books.ts'
import { seededRandomBytes } from '../../support/random.ts'
import { PLAIN_PAYMENT } from '../contract-authentication.ts'

export const ACCESS = {
  credentials: { apiKey: API_KEY, hmacKey: HMAC_KEY },
  settings: { merchantAccount: MERCHANT_ACCOUNT, environment: 'test', returnUrl: 'https://shop.example/return' },
}

/** Long enough for any answer; a test that needs it to pass has failed. */
export const patience = () => AbortSignal.timeout(20_000)

/** One of Adyen's own test cards; the holder's name decides what becomes of it. */
export const cardOf = (name: string, overrides: Partial<GatewayCard> = {}): GatewayCard => ({
  number: '4111111145551142',
  expMonth: 3,
  expYear: 2030,
  name,
  cvc: '737',
  ...overrides,
})

/** Requests with references of their own, the same in every run. */
export function makeRequests(seed: string) {
  const randomBytes = seededRandomBytes(seed)
  const gatewayConfigurationId = makeIdentifier('gatewayConfiguration', randomBytes)
  const authorization = (overrides: Partial<AuthorizeRequest> = {}): AuthorizeRequest => ({
    ...PLAIN_PAYMENT,
    ...ACCESS,
    gatewayConfigurationId,
    reference: makeIdentifier('operation', randomBytes),
    invoiceId: makeIdentifier('invoice', randomBytes),
    card: cardOf('Ada Example'),
    ...overrides,
  })
  const followUp = ({ invoiceId }: AuthorizeRequest, gatewayAuthorizationId: string, amountMinor: number) => ({
    ...ACCESS,
    gatewayConfigurationId,
    reference: makeIdentifier('operation', randomBytes),
    invoiceId,
    amountMinor,
    currency: 'EUR',
    gatewayAuthorizationId,
  })
  return { authorization, followUp }
}
