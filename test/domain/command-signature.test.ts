import { describe, expect, test } from '@jest/globals'
import { commandText, resolutionText, signCommand, signResolution } from '../../domain/command-signature.ts'
import { payCommand, refundCommand } from './payment-builders.ts'

const payment = { projectId: 'proj_1', environment: 'live', invoiceId: 'iv_1' } as const
const sale = payCommand({ source: 'card_1', authorizeOnly: false, amountMinor: 100 })
/** What Temporal makes of it: the text of JSON and back. */
const travelled = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value))

describe('the text that a signature is made of', () => {
  const text = commandText(payment, sale)

  test.each(Object.keys(sale).map((name) => [name]))('differs with another %s', (name) => {
    expect(commandText(payment, { ...sale, [name]: 'another' })).not.toBe(text)
  })

  test.each([
    ['project', { ...payment, projectId: 'proj_2' }],
    ['environment', { ...payment, environment: 'sandbox' } as const],
    ['invoice', { ...payment, invoiceId: 'iv_2' }],
  ])('differs with another %s', (_, other) => {
    expect(commandText(other, sale)).not.toBe(text)
  })

  test('stays the same when the command travels, in whatever order its fields arrive', () => {
    const turned = Object.fromEntries(Object.entries(travelled(sale)).reverse()) as unknown as typeof sale
    expect(commandText(payment, turned)).toBe(text)
    expect(commandText(payment, { ...sale, signature: 'any' })).toBe(text)
  })

  test('of a resolution is that of no command, and differs with every field', () => {
    const resolution = {
      operationId: 'tr_op_1',
      outcome: 'approved',
      gatewayOperationId: 'g_1',
      reason: 'a test',
    } as const
    const texts = [
      resolution,
      { ...resolution, operationId: 'tr_op_2' },
      { ...resolution, outcome: 'declined' as const },
      { ...resolution, gatewayOperationId: null },
    ].map((one) => resolutionText(payment, one))
    expect(new Set(texts).size).toBe(4)
    expect(commandText(payment, resolution as never)).not.toBe(texts[0])
  })
})

describe('a signed command', () => {
  const sign = (text: string) => `signed ${text}`

  test('has the signature of its text', () => {
    for (const command of [sale, refundCommand(100), { ...sale, signature: 'of another key' }])
      expect(signCommand(sign, payment, command)).toEqual({
        ...command,
        signature: sign(commandText(payment, command)),
      })
  })

  test('of support staff has the signature of its text', () => {
    const resolution = {
      operationId: 'tr_op_1',
      outcome: 'declined',
      gatewayOperationId: null,
      reason: 'a test',
    } as const
    expect(signResolution(sign, payment, resolution).signature).toBe(sign(resolutionText(payment, resolution)))
  })
})
