import { createAdyen } from '../../../src/gateways/adyen/adapter.ts'
import type { Gateway } from '../../../src/gateways/gateway.ts'
import { batch, HMAC_KEY, signed } from '../../../stand-ins/adyen/adyen.ts'
import { type Arrival, type GatewayHarness, TOLD } from '../contract/harness.ts'
import { openLines } from '../line.ts'
import { cardOf } from './fixture.ts'

/** The gateway's own books, by our invoice. */
export type AdyenBooks = Pick<GatewayHarness, 'countAuthorizations' | 'capturedMinor' | 'refundedMinor'>

interface Setting {
  /** Where Adyen is: a stand-in, or the test host. */
  target: string
  access: GatewayHarness['access']
  /** How a step that was only noted becomes known; the adapter as it is by default. */
  inform?(gateway: Gateway): Gateway
  /** Counts in what Adyen has answered, where there is nobody else to ask. */
  booksOf(heard: Awaited<ReturnType<typeof openLines>>['heard']): AdyenBooks
  close?(): Promise<void>
}

/** Adyen behind lines of our own, for the conformance suite. */
export async function makeAdyenHarness({ target, access, inform = (gateway) => gateway, booksOf, close }: Setting) {
  const lines = await openLines(target, () => true)
  const adapter = createAdyen({ baseUrl: await lines.open() })
  const harness = {
    gateway: inform(adapter),
    uninformed: adapter,
    access: { ...access, credentials: { ...access.credentials, hmacKey: HMAC_KEY } },
    remembersRefusedSteps: true,
    looksUp: false,
    seesWhatIsLeft: false,
    // Adyen answers 704 while the first request of a key is under way.
    repetitionsWait: false,
    over: async (trouble) => inform(createAdyen({ baseUrl: await lines.open(trouble) })),
    inventStatus,
    misstate,
    approvedCard: { card: cardOf('Ada Example'), scheme: 'visa' },
    declinedCard: { card: cardOf('DECLINED'), scheme: 'visa' },
    pendingCard: { card: cardOf('Ada Example'), scheme: 'visa', step: 'capture' },
    actionCard: { card: cardOf('REDIRECT'), scheme: 'visa' },
    notifications: {
      known: () => arrivalOf(itemOf('AUTHORISATION', access)),
      invented: () => inventedItems(access).map(arrivalOf),
    },
    ...booksOf(lines.heard),
    async close() {
      await lines.close()
      await close?.()
    },
  } satisfies GatewayHarness
  return { harness, lines }
}

type Fields = Record<string, unknown>

function inventStatus(answer: unknown): unknown {
  const fields = answer as Fields
  return { ...fields, ['resultCode' in fields ? 'resultCode' : 'status']: 'approvedInPrinciple' }
}

function misstate(answer: unknown): unknown {
  const { amountMinor: value, currency } = TOLD
  const { amount: _, additionalData, ...fields } = answer as Fields
  const {
    authorisedAmountValue: _value,
    authorisedAmountCurrency: _currency,
    ...others
  } = (additionalData ?? {}) as Fields
  return { ...fields, additionalData: others, amount: { value, currency } }
}

function itemOf(eventCode: string, { settings }: GatewayHarness['access'], overrides: Fields = {}): Fields {
  return {
    eventCode,
    success: 'true',
    eventDate: '2026-11-21T10:00:00+01:00',
    pspReference: 'PAYMENT00000001',
    originalReference: '',
    merchantAccountCode: settings.merchantAccount,
    merchantReference: 'tr_op_1',
    amount: { value: 2_900, currency: 'EUR' },
    ...overrides,
  }
}

/** Words that the documentation of webhooks does not have, in every place that decides what one means. */
function inventedItems(access: GatewayHarness['access']): Fields[] {
  const unreadable = { amount: { value: 2_900, currency: 'ZZZ' } }
  return [
    itemOf('APPROVED_IN_PRINCIPLE', access),
    itemOf('AUTHORISATION', access, unreadable),
    itemOf('CAPTURE', access, { originalReference: 'PAYMENT00000001', ...unreadable }),
    itemOf('AUTHORISATION_ADJUSTMENT', access, { merchantReference: 'tr_op_1' }),
    itemOf('CAPTURE', access, { originalReference: '' }),
    itemOf('AUTHORISATION', access, { merchantAccountCode: 'AnotherShop' }),
  ]
}

function arrivalOf(item: Fields): Arrival {
  return { rawBody: new TextEncoder().encode(JSON.stringify(batch([signed(item)]))), headers: {} }
}
