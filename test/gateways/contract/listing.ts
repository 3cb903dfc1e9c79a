import { describe, expect, test } from '@jest/globals'
import type { SettlementLine } from '../../../domain/books.ts'
import type { Gateway, SettlementPage, SettlementRequest } from '../../../src/gateways/gateway.ts'
import { installedGateway } from '../../../src/gateways/installed.ts'
import { approved } from './outcomes.ts'
import { AMOUNT, CURRENCY, patience, type Stage } from './stage.ts'

/** From then until then everything of a test was booked, by any clock. */
const SPAN = { from: new Date('2020-01-01T00:00:00Z'), until: new Date('2100-01-01T00:00:00Z') }

export function describeListing(stage: Stage): void {
  const question = (): Omit<SettlementRequest, 'cursor'> => {
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
}
