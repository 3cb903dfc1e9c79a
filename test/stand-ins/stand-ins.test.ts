import { afterEach, describe, expect, test } from '@jest/globals'
import { createAdyen } from '../../src/gateways/adyen/adapter.ts'
import { createStripeGateway } from '../../src/gateways/stripe/adapter.ts'
import { startAdyenStandIn } from '../../stand-ins/adyen/adyen.ts'
import { openFaults } from '../../stand-ins/engine/faults.ts'
import { startStripeStandIn } from '../../stand-ins/stripe/stripe.ts'
import { makeRequests } from '../gateways/adyen/fixture.ts'
import { CUSTOMER_PRESENT } from '../gateways/contract-authentication.ts'
import { startReceiver } from '../gateways/receiver.ts'
import { launch } from '../journeys/launched.ts'
import { listen } from '../support/listen.ts'
import { waitFor } from '../support/wait-for.ts'

const patience = () => AbortSignal.timeout(20_000)

const GATEWAYS = [
  { name: 'stripe', start: startStripeStandIn, adapt: (baseUrl: string | null) => createStripeGateway({ baseUrl }) },
  { name: 'adyen', start: startAdyenStandIn, adapt: (baseUrl: string | null) => createAdyen({ baseUrl }) },
] as const

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})
const opening = <Opened extends { close(): Promise<void> }>(one: Opened): Opened => {
  opened.push(one)
  return one
}

async function ask(address: string, method = 'GET', body?: unknown) {
  const answer = await fetch(address, { method, ...(body !== undefined && { body: JSON.stringify(body) }) })
  return { status: answer.status, body: (await answer.json()) as Record<string, never> }
}

describe.each(GATEWAYS)('the stand-in of $name', ({ name, start, adapt }) => {
  const { authorization } = makeRequests(`the stand-in of ${name}`)
  const cardOf = { stripe: '4000002500003155', adyen: '4111111145551142' }
  const holderOf = { stripe: 'Ada Example', adyen: 'REDIRECT' }

  /** A payment whose customer has to act. */
  const begin = async () => {
    const standIn = opening(await start())
    const { account } = standIn.model
    const receiver = opening(await startReceiver(adapt(null), account))
    await ask(`${standIn.controlUrl}/notify`, 'PUT', { urls: [receiver.url] })
    const card = { number: cardOf[name], expMonth: 12, expYear: 2030, name: holderOf[name], cvc: '737' }
    const request = authorization({ ...account, card, authentication: CUSTOMER_PRESENT })
    const gateway = adapt(standIn.url)
    const asked = await gateway.authorize(request, patience())
    if (asked.kind !== 'action-required') throw new Error(`Expected an action, got ${JSON.stringify(asked)}.`)
    const { continuation } = asked.action
    const goOn = (parameters: Record<string, string>) =>
      gateway.continueAuthorization?.(
        { ...request, continuation, answer: { kind: 'returned', parameters }, authentication: CUSTOMER_PRESENT },
        patience(),
      )
    return { standIn, receiver, request, goOn }
  }

  test.each([
    [true, 'approved'],
    [false, 'declined'],
  ])('has a customer whose challenge ends as it is told: %j', async (passes, end) => {
    const { standIn, request, goOn } = await begin()
    expect((await ask(`${standIn.controlUrl}/ledger`)).body).toEqual({ entries: [] })

    const back = await ask(`${standIn.controlUrl}/customers/${request.reference}`, 'POST', { passes })
    const address = new URL(back.body.return_url ?? '')

    expect(address.origin + address.pathname).toBe(CUSTOMER_PRESENT.returnUrl)
    expect((await goOn(Object.fromEntries(address.searchParams)))?.kind).toBe(end)
    const again = await ask(`${standIn.controlUrl}/customers/${request.reference}`, 'POST', { passes })
    expect(again.status).toBe(400)
  })

  test('opens and ends a dispute, which the adapter reads, also if a notification was lost at first', async () => {
    const { standIn, receiver, request, goOn } = await begin()
    const back = await ask(`${standIn.controlUrl}/customers/${request.reference}`, 'POST', { passes: true })
    await goOn(Object.fromEntries(new URL(back.body.return_url ?? '').searchParams))

    const dispute = { payment: request.reference, amount_minor: 900 }
    expect((await ask(`${standIn.controlUrl}/disputes`, 'POST', dispute)).body).toMatchObject({
      dispute: { kind: 'dispute', amount_minor: 900, currency: 'EUR', invoice_id: request.invoiceId },
    })

    const told = () => [...receiver.kept.values()].filter(({ kind }) => kind.startsWith('chargeback-'))
    await waitFor(() => told().length === 1)
    await ask(`${standIn.controlUrl}/faults`, 'PUT', { name: 'notification-lost' })
    const decide = (payment: string) => ask(`${standIn.controlUrl}/disputes/${payment}`, 'PUT', { won: false })
    expect((await decide(request.reference)).body).toMatchObject({
      dispute: { kind: 'dispute-lost', amount_minor: 900, invoice_id: request.invoiceId },
    })
    expect([standIn.notifier.underWay(), told().length]).toEqual([0, 1])
    standIn.notifier.sendLost('dispute')
    expect(standIn.notifier.underWay()).toBe(1)
    await waitFor(() => standIn.notifier.underWay() === 0)
    const [first] = told()
    const disputeId = first && 'disputeId' in first ? first.disputeId : null
    const about = { amountMinor: 900, currency: 'EUR', disputeId }
    expect(told()).toMatchObject([
      { kind: 'chargeback-created', ...about },
      { kind: 'chargeback-lost', ...about },
    ])
    expect((await decide(request.reference)).status).toBe(400)
    expect((await decide('tr_op_none')).status).toBe(400)
    expect((await ask(`${standIn.controlUrl}/disputes`, 'POST', { payment: 'tr_op_none' })).status).toBe(400)
  })

  test('sends a notification until it is accepted', async () => {
    const statuses = [503, 307, 200]
    const bodies: string[] = []
    const receiver = opening(
      await listen(async (request, response) => {
        bodies.push(String(await request.toArray()))
        response.writeHead(statuses[bodies.length - 1] ?? 200, { location: '/elsewhere' }).end()
      }),
    )
    const standIn = opening(await start({ notify: [receiver.url], hurry: 10_000 }))
    const card = { number: '4242424242424242', expMonth: 12, expYear: 2030, name: 'Ada Example', cvc: '737' }
    await adapt(standIn.url).authorize(authorization({ ...standIn.model.account, card }), patience())

    await waitFor(() => bodies.length === 3)
    expect(new Set(bodies.map((body) => body.slice(0, 200))).size).toBe(1)
  })

  test.each<[string, string, string, unknown, RegExp]>([
    [
      'a misspelt fault',
      'PUT',
      '/faults',
      { name: 'reset-aftr' },
      /^"reset-aftr" is no fault\. Did you mean reset-after\? There are reset-before, /,
    ],
    ['a misspelt field', 'PUT', '/faults', [{ name: 'garbled', cuont: 1 }], /cuont/],
    ['a share that is none', 'PUT', '/faults', { name: 'garbled', share: 2 }, /^share: /],
    [
      'a step of others',
      'PUT',
      '/faults',
      { name: 'garbled', on: 'captured' },
      /"captured" is no step\. Did you mean capture\?/,
    ],
    ['a receiver elsewhere', 'PUT', '/notify', { urls: ['http://shop.example/'] }, /address of this machine/],
    ['no JSON', 'POST', '/disputes', undefined, /./],
  ])('refuses %s, and says why', async (_, method, path, body, reason) => {
    const standIn = opening(await start())
    const answer = await ask(standIn.controlUrl + path, method, body)
    expect(answer).toEqual({ status: 400, body: { error: expect.stringMatching(reason) } })
    expect((await ask(`${standIn.controlUrl}/faults`)).body).toEqual({ faults: [] })
  })
})

test('Adyen has nothing to search in, and says so', async () => {
  const standIn = opening(await startAdyenStandIn())
  const answer = await ask(`${standIn.controlUrl}/faults`, 'PUT', { name: 'stale-look-up' })
  expect(answer).toEqual({ status: 400, body: { error: 'Adyen has no search.' } })
})

test('with the same seed a fault strikes the same ones, as often as it may', () => {
  const struckBy = (seed: number, count: number | null = null) => {
    const faults = openFaults({ name: 'Stripe', steps: ['capture', 'refund'] })
    faults.set([{ name: 'garbled', on: 'capture', share: 0.3, seed, count }])
    faults.striking('request', 'refund')
    return Array.from({ length: 200 }, () => faults.striking('request', 'capture') !== null)
  }
  const struck = struckBy(7)
  expect(struckBy(7)).toEqual(struck)
  expect(struckBy(8)).not.toEqual(struck)
  expect(struck.filter(Boolean).length).toBeGreaterThan(30)
  expect(struck.filter(Boolean).length).toBeLessThan(90)
  expect(struckBy(7, 3).filter(Boolean)).toHaveLength(3)
})

describe('npm run stand-in', () => {
  test.each([
    [['--help'], 0, /^Usage: npm run stand-in -- \[options\] <gateway>/],
    [['strip'], 1, /There are stripe and adyen/],
    [['stripe', '--notify', 'http://shop.example/'], 1, /address of this machine/],
  ])('%j', async (args, code, said) => {
    const program = launch('stand-ins/program.ts', {}, args)
    expect(await program.exited()).toBe(code)
    expect(program.output()).toMatch(said)
  })

  test('prints two addresses that answer, and a command that sets a fault', async () => {
    const program = launch('stand-ins/program.ts', {}, ['adyen', '--port', '0'])
    try {
      await program.printed('curl -sS http')
      const [, control = ''] = /Control port +(\S+)/.exec(program.output()) ?? []
      const [, , order = ''] = /curl -sS -X PUT (\S+) -d '(.+)'/.exec(program.output()) ?? []
      const { body } = await ask(`${control}/faults`, 'PUT', JSON.parse(order))
      expect(body).toMatchObject({ faults: [{ name: 'reset-after', on: ['capture'], share: 0.1, seed: 7 }] })
      expect(program.output()).toContain((await ask(control)).body.url ?? 'an address')
    } finally {
      program.kill('SIGTERM')
      await program.exited()
    }
  })
})
