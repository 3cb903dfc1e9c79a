import { describe, expect, test } from '@jest/globals'
import type { SettlementLine } from '../../../domain/books.ts'
import type { GatewayOperationType, Outcome } from '../../../domain/operation.ts'
import type { ListedOperation } from '../../../domain/recovery.ts'
import type { Gateway, ListRequest, OperationPage, SettlementPage } from '../../../src/gateways/gateway.ts'
import { installedGateway } from '../../../src/gateways/installed.ts'
import { approved } from './outcomes.ts'
import { AMOUNT, CURRENCY, patience, type Stage } from './stage.ts'

/** From then until then everything of a test was booked, by any clock. */
const SPAN = { from: new Date('2020-01-01T00:00:00Z'), until: new Date('2100-01-01T00:00:00Z') }

/** A real host has much from before, and clocks differ. */
const SINCE_THIS_RUN = new Date(Date.now() - 10_000)

export function describeListing(stage: Stage): void {
  const question = (): Omit<ListRequest, 'cursor'> => {
    const { gatewayConfigurationId, credentials, settings } = stage.questionOf(stage.makeReference())
    return { gatewayConfigurationId, credentials, settings, ...SPAN }
  }
  const hasList = () => stage.gateway.listSettlements !== undefined

  /** Every line, page by page. */
  const listAll = async (on: Gateway = stage.gateway, span: Partial<typeof SPAN> = {}): Promise<SettlementLine[]> => {
    const lines: SettlementLine[] = []
    let cursor: string | null = null
    do {
      const page: SettlementPage | undefined = await on.listSettlements?.(
        { ...question(), ...span, cursor },
        patience(),
      )
      if (page?.kind !== 'page') throw new Error(`Expected a page, got ${JSON.stringify(page)}.`)
      lines.push(...page.lines)
      cursor = page.next
    } while (cursor !== null)
    return lines
  }

  /** The lines of a step, which names it by our reference or by its own. */
  const linesOf = (lines: readonly SettlementLine[], type: string, ours: string, theirs: string) =>
    lines.filter(
      ({ reference, gatewayReference, type: listed }) =>
        listed === type && (reference === ours || (reference === null && gatewayReference === theirs)),
    )

  describe('listing what was booked', () => {
    test('is there where the gateway says that it is asked for its list', () => {
      const { name } = stage.gateway
      expect([name, hasList()]).toEqual([name, installedGateway(name)?.settlement?.source === 'list'])
    })

    test('names captures and refunds with amount and currency, and nothing that was only reserved', async () => {
      if (!hasList()) return
      const { request, followUp } = await stage.authorize()
      const reserved = await stage.authorize()
      const capture = { ...followUp(AMOUNT), isFinal: true }
      const captured = approved(await stage.gateway.capture(capture, patience()))
      const refund = followUp(900)
      const refunded = approved(await stage.gateway.refund(refund, patience()))
      const lines = await listAll()
      const booked = { state: 'booked', currency: CURRENCY, bookedAt: expect.any(Number) }
      expect(linesOf(lines, 'capture', capture.reference, captured.gatewayOperationId)).toMatchObject([
        { ...booked, amountMinor: AMOUNT },
      ])
      expect(linesOf(lines, 'refund', refund.reference, refunded.gatewayOperationId)).toMatchObject([
        { ...booked, amountMinor: 900 },
      ])
      const { reference } = reserved.request
      expect(lines.filter((line) => line.reference === reference || line.reference === request.reference)).toEqual([])
    })

    test('names each line once, and asked again the same', async () => {
      if (!hasList()) return
      await stage.capture()
      const lines = await listAll()
      expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length)
      for (const { amountMinor } of lines)
        expect([amountMinor, Number.isSafeInteger(amountMinor)]).toEqual([amountMinor, true])
      expect(await listAll()).toEqual(lines)
    })

    test('leaves out what was booked before or after the span', async () => {
      if (!hasList()) return
      await stage.capture()
      expect(await listAll(stage.gateway, { until: SPAN.from })).toEqual([])
      expect(await listAll(stage.gateway, { from: SPAN.until, until: new Date(SPAN.until.getTime() + 1_000) })).toEqual(
        [],
      )
    })

    test.each(['loses-answers', 'refuses-connections'] as const)('over a line that %s tells so', async (kind) => {
      const troubled = await stage.over({ kind })
      if (troubled?.listSettlements === undefined) return
      const page = await troubled.listSettlements({ ...question(), cursor: null }, patience())
      expect(page).toEqual({ kind: 'unreachable', reason: expect.stringMatching(/./) })
    })
  })

  /** Every operation, page by page, each once. */
  const operationsIn = async (span: Partial<typeof SPAN> = {}) => {
    const changed = stage.harness.isRemote === true ? { ...SPAN, from: SINCE_THIS_RUN } : SPAN
    const operations = new Map<string, ListedOperation>()
    let cursor: string | null = null
    do {
      const page: OperationPage | undefined = await stage.gateway.listOperations?.(
        { ...question(), ...changed, ...span, cursor },
        patience(),
      )
      if (page?.kind !== 'page') throw new Error(`Expected a page, got ${JSON.stringify(page)}.`)
      for (const one of page.operations)
        operations.set(one.reference ?? `${one.type} ${one.gatewayAuthorizationId}`, one)
      cursor = page.next
    } while (cursor !== null)
    return [...operations.values()]
  }
  const operationsOf = async (invoiceId: string) =>
    (await operationsIn()).filter((operation) => operation.invoiceId === invoiceId)

  describe('listing what an account has done', () => {
    const lists = () => stage.gateway.listOperations !== undefined

    test('names every step by our reference, with what a look-up finds of it', async () => {
      if (!lists()) return
      const { incrementalAuthorization, multipleCaptures } = stage.gateway.capabilities
      const { request, invoiceId, followUp } = await stage.authorize({ incremental: incrementalAuthorization })
      const asked: { type: GatewayOperationType; request: { reference: string; amountMinor: number } }[] = []
      const step = async <Request extends { reference: string; amountMinor: number }>(
        type: GatewayOperationType,
        of: Request,
        call: (of: Request, signal: AbortSignal) => Promise<Outcome>,
      ) => {
        approved(await call(of, patience()))
        asked.push({ type, request: of })
      }
      const { increment, capture, refund } = stage.gateway
      if (incrementalAuthorization)
        await step('increment_authorization', { ...followUp(100), targetTotalMinor: AMOUNT + 100 }, increment)
      if (multipleCaptures) await step('capture', { ...followUp(700), isFinal: false }, capture)
      await step('capture', { ...followUp(500), isFinal: true }, capture)
      await step('refund', followUp(300), refund)
      asked.unshift({ type: 'authorization', request })
      const listed = await operationsOf(invoiceId)
      const { gatewayAuthorizationId } = followUp(0)
      expect(listed).toHaveLength(asked.length)
      for (const {
        type,
        request: { reference, amountMinor },
      } of asked) {
        const operation = listed.find((one) => one.reference === reference)
        expect(operation).toMatchObject({ type, amountMinor, currency: CURRENCY, gatewayAuthorizationId })
        const found = await stage.lookUp(stage.questionOf(reference, type, gatewayAuthorizationId))
        expect(found).toMatchObject({ kind: 'found', outcome: { kind: 'approved', amountMinor, currency: CURRENCY } })
      }
      expect(listed.filter(({ type, isFinal }) => type === 'capture' && isFinal)).not.toEqual([])
    })

    test('names what was released, and nothing that was declined or waits for its customer', async () => {
      if (!lists()) return
      const { invoiceId, followUp } = await stage.authorize()
      approved(await stage.gateway.void(followUp(AMOUNT), patience()))
      const released = (await operationsOf(invoiceId)).filter(({ type }) => type === 'void')
      expect(released).toMatchObject([{ amountMinor: AMOUNT, currency: CURRENCY, at: expect.any(Number) }])
      const { declinedCard, actionCard } = stage.harness
      const others = [declinedCard, ...(actionCard === null ? [] : [actionCard])].map((card) => stage.requestWith(card))
      for (const other of others) await stage.gateway.authorize(other, patience())
      for (const other of others) expect(await operationsOf(other.invoiceId)).toEqual([])
    })

    test('leaves out payments that have not changed in the span', async () => {
      if (!lists()) return
      await stage.capture()
      expect(await operationsIn({ from: new Date('2019-01-01T00:00:00Z'), until: SPAN.from })).toEqual([])
      expect(await operationsIn({ from: SPAN.until, until: new Date('2100-01-02T00:00:00Z') })).toEqual([])
    })

    test.each(['loses-answers', 'refuses-connections'] as const)('over a line that %s tells so', async (kind) => {
      const troubled = await stage.over({ kind })
      if (troubled?.listOperations === undefined) return
      const page = await troubled.listOperations({ ...question(), cursor: null }, patience())
      expect(page).toEqual({ kind: 'unreachable', reason: expect.stringMatching(/./) })
    })
  })
}
