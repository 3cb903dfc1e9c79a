import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { makeSimulator, patience } from './simulator-fixture.ts'

describe('a step whose outcome is pending at first', () => {
  let simulator: Awaited<ReturnType<typeof makeSimulator>>

  beforeAll(async () => {
    simulator = await makeSimulator('pending')
  })
  afterAll(() => simulator.drop())

  const pendingCapture = async (number: string, amountMinor: number, isFinal: boolean) => {
    const authorization = await simulator.authorize(number)
    const request = { ...authorization.followUp(amountMinor), isFinal }
    return { ...authorization, request, outcome: await simulator.gateway.capture(request, patience()) }
  }

  const pendingRefund = async (number: string) => {
    const authorization = await simulator.authorize(number)
    await simulator.gateway.capture({ ...authorization.followUp(2_000), isFinal: true }, patience())
    const request = authorization.followUp(1_500)
    return { ...authorization, request, outcome: await simulator.gateway.refund(request, patience()) }
  }

  test('a capture takes no money yet, and nobody else can have it', async () => {
    const { outcome, followUp, held } = await pendingCapture('4000000000007049', 2_000, false)

    expect(outcome).toEqual({ kind: 'pending', gatewayOperationId: expect.stringMatching(/^sim_cap_/) })
    expect(await held()).toMatchObject({ capturedMinor: 0, capturingMinor: 2_000, captures: 0 })
    for (const refused of [
      await simulator.gateway.capture({ ...followUp(901), isFinal: true }, patience()),
      await simulator.gateway.void(followUp(901), patience()),
      await simulator.gateway.increment({ ...followUp(100), targetTotalMinor: 3_000 }, patience()),
      await simulator.gateway.refund(followUp(1), patience()),
    ]) {
      expect(refused).toMatchObject({ kind: 'declined' })
    }
    expect(await simulator.gateway.void(followUp(900), patience())).toMatchObject({ kind: 'approved' })
  })

  test('4000000000007049: the second look-up finds the capture done, and so does every other', async () => {
    const { request, outcome, held } = await pendingCapture('4000000000007049', 2_000, true)

    expect(await simulator.lookUp(request.reference, 'capture')).toEqual({ kind: 'found', outcome })
    expect(await simulator.gateway.capture(request, patience())).toEqual(outcome)
    expect(await held()).toMatchObject({ capturedMinor: 0, voidedMinor: 0 })
    const done = { kind: 'approved', gatewayOperationId: expect.anything(), amountMinor: 2_000, currency: 'EUR' }
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(await simulator.lookUp(request.reference, 'capture')).toEqual({ kind: 'found', outcome: done })
    }
    expect(await simulator.gateway.capture(request, patience())).toEqual(done)

    expect(await held()).toMatchObject({ capturedMinor: 2_000, capturingMinor: 0, captures: 1, voidedMinor: 900 })
    const { requests } = await simulator.readLog({ reference: request.reference })
    expect(requests).toMatchObject([{ timesAsked: 3, lookedUp: 3, outcome: done }])
  })

  test('4000000000007049: a final capture releases only what no other capture waits for', async () => {
    const { request, followUp, held } = await pendingCapture('4000000000007049', 1_000, true)
    const other = { ...followUp(500), isFinal: false }
    await simulator.gateway.capture(other, patience())

    for (let attempt = 0; attempt < 2; attempt += 1) await simulator.lookUp(request.reference, 'capture')
    expect(await held()).toMatchObject({ capturedMinor: 1_000, capturingMinor: 500, voidedMinor: 1_400 })
    for (let attempt = 0; attempt < 2; attempt += 1) await simulator.lookUp(other.reference, 'capture')

    expect(await held()).toMatchObject({ capturedMinor: 1_500, capturingMinor: 0, voidedMinor: 1_400, captures: 2 })
  })

  test('4000000000007056: the second look-up finds the capture declined, and the money is held again', async () => {
    const { request, outcome, followUp, held } = await pendingCapture('4000000000007056', 2_900, true)

    expect(outcome.kind).toBe('pending')
    expect(await simulator.lookUp(request.reference, 'capture')).toEqual({ kind: 'found', outcome })
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(await simulator.lookUp(request.reference, 'capture')).toMatchObject({
        kind: 'found',
        outcome: { kind: 'declined', code: 'gateway.declined' },
      })
    }
    expect(await held()).toMatchObject({ capturedMinor: 0, capturingMinor: 0, voidedMinor: 0, captures: 0 })
    expect(await simulator.gateway.void(followUp(2_900), patience())).toMatchObject({ kind: 'approved' })
  })

  test('a refund gives nothing back yet, and nobody else can have it', async () => {
    const { outcome, followUp, held } = await pendingRefund('4000000000007064')

    expect(outcome).toEqual({ kind: 'pending', gatewayOperationId: expect.stringMatching(/^sim_ref_/) })
    expect(await simulator.gateway.refund(followUp(501), patience())).toMatchObject({ kind: 'declined' })
    expect(await held()).toMatchObject({ refundedMinor: 0, refundingMinor: 1_500 })
  })

  test('4000000000007064: the second look-up finds the refund done', async () => {
    const { request, outcome, held } = await pendingRefund('4000000000007064')

    expect(await simulator.lookUp(request.reference, 'refund')).toEqual({ kind: 'found', outcome })
    expect(await simulator.lookUp(request.reference, 'refund')).toMatchObject({
      kind: 'found',
      outcome: { kind: 'approved', amountMinor: 1_500, currency: 'EUR' },
    })
    expect(await held()).toMatchObject({ capturedMinor: 2_000, refundedMinor: 1_500, refundingMinor: 0 })
  })

  test('4000000000007072: the second look-up finds the refund declined, and the money can be refunded again', async () => {
    const { request, outcome, followUp, held } = await pendingRefund('4000000000007072')

    expect(await simulator.lookUp(request.reference, 'refund')).toEqual({ kind: 'found', outcome })
    expect(await simulator.lookUp(request.reference, 'refund')).toMatchObject({
      kind: 'found',
      outcome: { kind: 'declined', code: 'gateway.declined' },
    })
    expect(await held()).toMatchObject({ refundedMinor: 0, refundingMinor: 0 })
    expect(await simulator.gateway.refund(followUp(2_000), patience())).toMatchObject({ kind: 'pending' })
  })

  test('what the gateway refuses is refused at once', async () => {
    const { followUp } = await simulator.authorize('4000000000007049')

    expect(await simulator.gateway.capture({ ...followUp(2_901), isFinal: true }, patience())).toMatchObject({
      kind: 'declined',
      code: 'gateway.validation-error',
    })
  })
})
