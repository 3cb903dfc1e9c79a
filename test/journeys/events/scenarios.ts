import type { EVENT_STORIES } from '../../../scripts/docs/event-stories.ts'
import { announceExpiringCards } from '../../../src/sweeps/card-expiry.ts'
import { expireInvoices } from '../../../src/sweeps/invoice-expiry.ts'
import { seededRandomBytes } from '../../support/random.ts'
import type { Stack } from '../../support/stack.ts'
import { createStory, DAY_MS } from '../../support/story.ts'

/** Whose events a story is about: of one payment, or those of a customer after the first ones. */
export interface Subject {
  invoiceId?: string
  customerId?: string
}

type Scenario = () => Promise<Subject>

const MINUTE_MS = 60_000

/** What has each story of the documentation happen in a running service. */
export function createScenarios(stack: Stack): Record<(typeof EVENT_STORIES)[number]['when'], Scenario> {
  const story = createStory(stack)
  const deps = {
    orm: stack.database.orm,
    clock: stack.clock,
    randomBytes: seededRandomBytes(`${stack.database.name} sweeps`),
    announce: () => {},
  }

  type Source = { number?: string; name?: string; invoice?: object }
  /** Authorizes, and then asks for more, one thing after the other. */
  const authorized =
    (source: Source & Record<string, unknown>, ...steps: [verb: string, body?: object][]): Scenario =>
    async () => {
      const { invoiceId } = await story.pay(source)
      for (const [verb, body] of steps) await story.post(invoiceId, verb, body)
      return { invoiceId }
    }
  const paid = (source: Source, ...steps: [verb: string, body?: object][]) =>
    authorized({ ...source, authorize_only: false }, ...steps)
  /** Lives through the wait for the word of the gateway that is final. */
  const later =
    (scenario: Scenario): Scenario =>
    async () => {
      const subject = await scenario()
      await stack.skipTime(subject.invoiceId ?? '', MINUTE_MS)
      return subject
    }
  const testCard = (name: string) => ({ name: `SANDBOX:${name}` })

  const created = async (path: string, body: object) => {
    const answer = await stack.post(path, body)
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const customer = async () =>
    String((await created('/customers', { email: 'ann@shop.example', first_name: 'Ann' })).customer.id)
  const stored = async (card: object = {}, fields: object = {}) => {
    const customerId = await customer()
    const { id: source } = await stack.createCard(card)
    const { token } = await created(`/customers/${customerId}/tokens`, { source, ...fields })
    return { customerId, cardId: String(source), path: `/customers/${customerId}/tokens/${token.id}` }
  }
  const ended = async ({ id }: { id: string }): Promise<Subject> => {
    const clock = { now: () => new Date(stack.clock.now().getTime() + 2 * DAY_MS) }
    await expireInvoices({ ...deps, clock })
    return { invoiceId: id }
  }
  const endsTomorrow = () => ({ expires_at: new Date(stack.clock.now().getTime() + DAY_MS).toISOString() })

  return {
    'an authorization is approved': authorized({}),
    'an authorization is declined': authorized({ number: '4000000000002180' }),
    'another card is approved after a decline': async () => {
      const { invoiceId } = await story.pay({ number: '4000000000002180' })
      const { id: source } = await stack.createCard()
      await story.post(invoiceId, 'authorize', { source })
      return { invoiceId }
    },
    'an authorization is not known at first, and approved': later(authorized({ number: '4000000000007007' })),
    'an authorization is not known at first, and declined': later(authorized({ number: '4000000000007015' })),
    'an authorization is raised': authorized({ invoice: { incremental: true } }, [
      'increment_authorization',
      { amount: '5.00' },
    ]),
    'raising an authorization is declined': authorized({ number: '4000000000000531', invoice: { incremental: true } }, [
      'increment_authorization',
      { amount: '5.00' },
    ]),
    'authorization and capture are asked for in one': paid({}),
    'an authorization is captured': authorized({}, ['capture']),
    'a scheduled capture is made': async () => {
      const auto_capture_at = new Date(stack.clock.now().getTime() + DAY_MS).toISOString()
      const { invoiceId } = await story.pay({ auto_capture_at })
      await stack.skipTime(invoiceId, DAY_MS + MINUTE_MS)
      return { invoiceId }
    },
    'an authorization is captured in two parts': authorized(
      {},
      ['capture', { capture_amount: '9.00', capture_type: 'non-final' }],
      ['capture', { capture_amount: '20.00' }],
    ),
    'a capture is confirmed later': later(authorized({ number: '4000000000007049' }, ['capture'])),
    'a capture fails later': later(authorized({ number: '4000000000007056' }, ['capture'])),
    'a capture is declined': authorized({ number: '4000000000000010' }, ['capture']),
    'an authorization is voided': authorized({}, ['void']),
    'a part of an authorization is voided': authorized({}, ['void', { amount: '9.00' }]),
    'a void is confirmed later': later(authorized(testCard('void-lost'), ['void'])),
    'a void is declined': authorized({ number: '4000000000007080' }, ['void']),
    'an authorization ends without a capture': async () => {
      const { invoiceId } = await story.pay()
      await stack.skipTime(invoiceId, 8 * DAY_MS)
      return { invoiceId }
    },
    'a payment is refunded': paid({}, ['refunds']),
    'a payment is refunded in two parts': paid({}, ['refunds', { amount: '9.00' }], ['refunds']),
    'a refund is confirmed later': later(paid({ number: '4000000000007064' }, ['refunds'])),
    'a refund fails later': later(paid({ number: '4000000000007072' }, ['refunds'])),
    'a refund is declined': paid({ number: '4000000000000077' }, ['refunds']),
    'a refund fails after it had succeeded': paid({ number: '4000000000005126' }, ['refunds']),
    'the issuer asks for evidence': paid({ number: '4000000000000309' }),
    'the issuer tells of fraud': paid({ number: '4000000000004004' }),
    'a chargeback is created': paid({ number: '4000000000000069' }),
    'a chargeback is answered at the gateway': paid(testCard('chargeback-answered')),
    'the issuer asks for evidence, and then no longer': paid(testCard('retrieval-request-closed')),
    'a chargeback is won': paid({ number: '4000000000000200' }),
    'a chargeback is lost': paid(testCard('chargeback-lost')),
    'an invoice ends that nobody has tried to pay': async () => ended(await stack.createInvoice(endsTomorrow())),
    'an invoice ends whose payment was declined': async () => {
      const { invoiceId } = await story.pay({ number: '4000000000002180', invoice: endsTomorrow() })
      return ended({ id: invoiceId })
    },
    'a customer is created, changed and deleted': async () => {
      const customerId = await customer()
      await stack.put(`/customers/${customerId}`, { last_name: 'Example' })
      await stack.delete(`/customers/${customerId}`)
      return { customerId }
    },
    'a source is stored for a customer, changed and deleted': async () => {
      const { customerId, path } = await stored()
      await stack.put(path, { description: 'Work' })
      await stack.delete(path)
      return { customerId }
    },
    'a customer with a stored source is deleted': async () => {
      const { customerId } = await stored()
      await stack.delete(`/customers/${customerId}`)
      return { customerId }
    },
    'a source is stored and verified': async () => stored({}, { verify: true }),
    'a source is stored and its verification declined': async () =>
      stored({ number: '4000000000002206' }, { verify: true }),
    'a source is stored with its first payment': async () => {
      const customerId = await customer()
      const { id: source } = await stack.createCard()
      const { id: invoiceId } = await stack.createInvoice({ customer_id: customerId })
      const client_secret = stack.vault.clientSecretOf(invoiceId)
      await story.post(invoiceId, 'authorize', { source, save_source: true, client_secret })
      return { customerId }
    },
    'a stored card is changed': async () => {
      const { customerId, cardId } = await stored()
      await stack.put(`/cards/${cardId}`, { name: 'Ann Example' })
      return { customerId }
    },
    'a stored card expires this month or the next': async () => {
      const now = stack.clock.now()
      // The next month, so that it is still one of the two where this one ends meanwhile.
      const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1))
      const subject = await stored({ exp_month: next.getUTCMonth() + 1, exp_year: next.getUTCFullYear() })
      await announceExpiringCards(deps)
      return subject
    },
  }
}
