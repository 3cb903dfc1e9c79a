import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { ERRORS, type ErrorCode, retryClassOf } from '../../domain/errors.ts'
import { APPROVED, makeSimulator, patience } from './simulator-fixture.ts'

const PAYMENT_FAILURES = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => retryClassOf(code) !== null)

describe('a cardholder whose name asks for a scenario', () => {
  let simulator: Awaited<ReturnType<typeof makeSimulator>>

  beforeAll(async () => {
    simulator = await makeSimulator('names')
  })
  afterAll(() => simulator.drop())

  const authorize = (scenario: string, number?: string) =>
    simulator.gateway.authorize(simulator.requestOf(APPROVED, simulator.named(scenario, number)), patience())

  test.each([
    'nonsense',
    '',
    'card.no-such-code',
    'request.validation.error',
    'resource.card.not-found',
    'capture:nonsense',
    'capture:capture:card.no-money',
    'request:card.no-money',
    'toString',
    '__proto__',
    'capture:__proto__',
    ' no-money',
    'No-Money',
    'unknown-scenario',
  ])('is declined where there is no such scenario, and never approved by mistake: %p', async (scenario) => {
    for (const number of [APPROVED, '4000000000002180']) {
      expect(await authorize(scenario, number)).toEqual({
        kind: 'declined',
        code: 'gateway.invalid-customer-input',
        gatewayCode: 'UNKNOWN_SCENARIO',
      })
    }
  })

  test('is declined under a name of ours in the log, which keeps no part of the name that was given', async () => {
    const request = simulator.requestOf(APPROVED, simulator.named('Ada Lovelace'))
    await simulator.gateway.authorize(request, patience())

    expect((await simulator.readLog({ invoiceId: request.invoiceId })).requests).toMatchObject([
      { scenario: 'unknown-scenario', outcome: { kind: 'declined' } },
    ])
    expect(await simulator.dump()).not.toContain('Lovelace')
  })

  test('gets no scenario with a number that is no test card', async () => {
    expect(await authorize('approved', '4111111111111111')).toMatchObject({ kind: 'declined', code: 'card.test' })
  })

  test('gets no scenario without the prefix', async () => {
    const card = { number: APPROVED, expMonth: 12, expYear: 2030, name: 'card.no-money', cvc: null }
    expect(await simulator.gateway.authorize(simulator.requestOf(APPROVED, { card }), patience())).toMatchObject({
      kind: 'approved',
    })
  })

  test('gets the scenario of a scenario in place of that of the card', async () => {
    expect(await authorize('approved', '4000000000002180')).toMatchObject({ kind: 'approved' })
    expect(await authorize('no-money')).toMatchObject({ kind: 'declined', code: 'card.no-money' })
    expect(await authorize('connection-refused')).toMatchObject({ kind: 'declined', code: 'gateway.network-error' })
  })

  test('gets the decline of every code that a payment can fail with', async () => {
    expect(PAYMENT_FAILURES.length).toBeGreaterThan(100)
    for (const code of PAYMENT_FAILURES) expect(await authorize(code)).toMatchObject({ kind: 'declined', code })
  })

  test.each(['capture', 'increment', 'void', 'refund'] as const)(
    'gets a decline at the %s, and at no other step',
    async (declinedStep) => {
      const { followUp } = await simulator.authorize(APPROVED, simulator.named(`${declinedStep}:card.no-money`))
      const kinds = {
        increment: (await simulator.gateway.increment({ ...followUp(100), targetTotalMinor: 3_000 }, patience())).kind,
        void: (await simulator.gateway.void(followUp(100), patience())).kind,
        capture: (await simulator.gateway.capture({ ...followUp(100), isFinal: false }, patience())).kind,
        refund: 'approved',
      }
      if (kinds.capture === 'approved') kinds.refund = (await simulator.gateway.refund(followUp(50), patience())).kind

      expect(kinds).toEqual({
        increment: 'approved',
        void: 'approved',
        capture: 'approved',
        refund: 'approved',
        [declinedStep]: 'declined',
      })
    },
  )

  test('is logged by the scenario, with the code it was declined with', async () => {
    const { request, followUp } = await simulator.authorize(APPROVED, simulator.named('void:gateway.maintenance'))
    await simulator.gateway.void(followUp(100), patience())

    expect(
      (await simulator.readLog({ invoiceId: request.invoiceId })).requests.map(({ scenario }) => scenario),
    ).toEqual(['void:gateway.maintenance', 'void:gateway.maintenance'])
  })

  test('capture-fails-twice: two captures fail for a reason that passes, the third is approved', async () => {
    const { followUp, held } = await simulator.authorize(APPROVED, simulator.named('capture-fails-twice'))
    const first = { ...followUp(2_900), isFinal: true }
    const failed = { kind: 'declined', code: 'gateway.internal-error' }
    const capture = (request = { ...followUp(2_900), isFinal: true }) => simulator.gateway.capture(request, patience())

    expect(await capture(first)).toMatchObject(failed)
    // Neither a repeated reference nor what the gateway refuses anyhow is one of the two.
    expect(await capture(first)).toMatchObject(failed)
    expect(await capture({ ...followUp(2_901), isFinal: true })).toMatchObject({ code: 'gateway.validation-error' })
    expect(await held()).toMatchObject({ capturedMinor: 0, voidedMinor: 0 })
    expect(await capture()).toMatchObject(failed)
    expect(await capture()).toMatchObject({ kind: 'approved', amountMinor: 2_900 })
    expect(await held()).toMatchObject({ capturedMinor: 2_900, captures: 1 })
  })
})
