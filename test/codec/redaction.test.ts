import { describe, expect, test } from '@jest/globals'
import { redactPayload } from '../../src/codec/redaction.ts'
import { readRecordings } from '../replay/recordings.ts'

/** Every JSON payload of the recorded histories. */
function recordedValues(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return []
  const { metadata, data } = value as { metadata?: { encoding?: string }; data?: string }
  if (typeof metadata?.encoding !== 'string') return Object.values(value).flatMap(recordedValues)
  if (Buffer.from(metadata.encoding, 'base64').toString() !== 'json/plain') return []
  const decoded: unknown = JSON.parse(Buffer.from(data ?? '', 'base64').toString())
  return typeof decoded === 'object' && decoded !== null ? [decoded] : []
}

function redacted(value: object): object {
  const payload = { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from(JSON.stringify(value)) }
  return JSON.parse(Buffer.from(redactPayload(payload).data ?? []).toString())
}

/** The names of the fields that differ, wherever they are. */
function changedNames(before: unknown, after: unknown): string[] {
  if (typeof before !== 'object' || before === null) return []
  return Object.entries(before).flatMap(([name, value]) => {
    const now = (after as Record<string, unknown>)[name]
    return typeof now === 'object' || JSON.stringify(now) === JSON.stringify(value) ? changedNames(value, now) : [name]
  })
}

describe('the view of support staff', () => {
  test('keeps all that our workflows write, but the signatures of commands', () => {
    const values = readRecordings().flatMap(({ history }) => recordedValues(history))
    expect(values.length).toBeGreaterThan(100)
    const changed = new Set(values.flatMap((value) => changedNames(value, redacted(value))))
    expect([...changed]).toEqual(['signature'])
  })

  test('hides personal and secret fields at any depth and in any spelling, and keeps absent ones absent', () => {
    const given = {
      amountMinor: 1,
      payments: [{ Billing_Address: { city: 'London' }, 'client-secret': 'ivs_x', gatewayName: 'stripe', ip: null }],
      token: '',
    }
    expect(redacted(given)).toEqual({
      amountMinor: 1,
      payments: [{ Billing_Address: '[redacted]', 'client-secret': '[redacted]', gatewayName: 'stripe', ip: null }],
      token: '',
    })
  })

  test('hides what is nested deeper than anything of ours, and what is no JSON', () => {
    const data = (text: string) => ({ metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from(text) })
    const view = (text: string) => String(redactPayload(data(text)).data)
    const levels = 50_000
    expect(view('['.repeat(levels) + ']'.repeat(levels))).toBe(`${'['.repeat(100)}"[redacted]"${']'.repeat(100)}`)
    expect(view('{')).toBe('"[redacted]"')
  })

  test.each([
    ['of letters', 'a'.repeat(40_000)],
    ['of addresses that are none', 'a@'.repeat(20_000)],
    ['of one address', `a@${'a.'.repeat(20_000)}`],
    ['of words', 'a '.repeat(20_000)],
  ])('searches a long text %s for addresses once', (_, text) => {
    const before = process.threadCpuUsage()
    redacted({ text })
    expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(500)
  })

  test('keeps the names of handlers, since the UI shows no page where two are the same', () => {
    const definition = {
      queryDefinitions: [
        { name: '__stack_trace', description: 'a trace' },
        { name: 'ada@example.com', url: 'https://shop.example' },
      ],
      signalDefinitions: [null],
      updateDefinitions: 'none',
    }
    expect(redacted({ definition, name: 'Ada' })).toEqual({
      definition: {
        queryDefinitions: [
          { name: '__stack_trace', description: 'a trace' },
          { name: '[redacted]', url: '[redacted]' },
        ],
        signalDefinitions: [null],
        updateDefinitions: 'none',
      },
      name: '[redacted]',
    })
  })
})
