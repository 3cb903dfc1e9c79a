import { describe, expect, test } from '@jest/globals'
import { commandText, resolutionText, signCommand, signResolution } from '../../domain/command-signature.ts'
import { authorizeCommand, captureCommand, refundCommand } from './payment-builders.ts'

const payment = { projectId: 'proj_1', environment: 'live', invoiceId: 'iv_1' } as const
const sale = authorizeCommand({ capture: captureCommand(100) })
/** What Temporal makes of it: the text of JSON and back. */
const travelled = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value))

describe('the text that a signature is made of', () => {
  const text = commandText(payment, sale, sale.operationId)

  test.each(Object.keys(sale).map((name) => [name]))('differs with another %s', (name) => {
    expect(commandText(payment, { ...sale, [name]: 'another' }, sale.operationId)).not.toBe(text)
  })

  test.each([
    ['project', { ...payment, projectId: 'proj_2' }],
    ['environment', { ...payment, environment: 'sandbox' } as const],
    ['invoice', { ...payment, invoiceId: 'iv_2' }],
  ])('differs with another %s', (_, other) => {
    expect(commandText(other, sale, sale.operationId)).not.toBe(text)
  })

  test('differs with another caller who hears the answer, and with another part of the command', () => {
    expect(commandText(payment, sale, 'tr_op_other')).not.toBe(text)
    const more = { ...sale, capture: captureCommand(101) }
    expect(commandText(payment, more, sale.operationId)).not.toBe(text)
  })

  test('stays the same when the command travels, in whatever order its fields arrive', () => {
    const turned = Object.fromEntries(Object.entries(travelled(sale)).reverse()) as unknown as typeof sale
    expect(commandText(payment, turned, sale.operationId)).toBe(text)
    expect(commandText(payment, { ...sale, signature: 'any' }, sale.operationId)).toBe(text)
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
    expect(commandText(payment, resolution as never, 'tr_op_1')).not.toBe(texts[0])
  })
})

describe('a signed command', () => {
  const sign = (text: string) => `signed ${text}`

  test('has the signature of its text, and the capture of a sale has one of its own that names the sale', () => {
    const { capture, ...signed } = signCommand(sign, payment, sale)
    expect(capture?.signature).toBe(sign(commandText(payment, captureCommand(100), sale.operationId)))
    expect(signed.signature).toBe(sign(commandText(payment, { ...sale, capture }, sale.operationId)))
    const refund = refundCommand(100)
    expect(signCommand(sign, payment, refund)).toEqual({
      ...refund,
      signature: sign(commandText(payment, refund, refund.operationId)),
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
