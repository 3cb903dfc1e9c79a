import { describe, test } from '@jest/globals'
import { readIncrementInput, readRefundInput, readVoidInput } from '../../../src/api/payments/command-input.ts'
import type { ParsedBody } from '../../../src/http/middleware/body.ts'
import { expectRefused, jsonBody, NO_AMOUNTS, NUL, text, withValue } from '../refusals.ts'

const READERS: Readonly<Record<string, (body: ParsedBody) => unknown>> = {
  increment: (body) => readIncrementInput(body, 'EUR'),
  void: (body) => readVoidInput(body, 'EUR'),
  refund: (body) => readRefundInput(body, { currency: 'EUR', details: [] }),
}

describe('a command is refused', () => {
  test.each<[command: string, field: string, code: string, ...values: unknown[]]>([
    ['increment', 'amount', 'missing-amount', undefined],
    ['increment', 'amount', 'invalid-amount', ...NO_AMOUNTS],
    ['void', 'amount', 'invalid-amount', ...NO_AMOUNTS],
    ['void', 'source', 'error', 'card_1'],
    ['refund', 'amount', 'invalid-amount', ...NO_AMOUNTS],
    ['refund', 'reason', 'invalid-type', 'regret', 1],
    ['refund', 'information', 'invalid-description', text(1001), NUL],
    ['refund', 'metadata.a', 'invalid-metadata', [1]],
    ['refund', 'invoice_detail_ids', 'invalid-id', 'iv_det_1', ['iv_det_1'], [], ''],
    ['refund', 'source', 'error', 'card_1'],
  ])('%s: for its %s with %s', (command, field, code, ...values) => {
    for (const value of values)
      expectRefused(() => READERS[command]?.(jsonBody(withValue({ amount: '1.00' }, field, value))), field, code)
  })
})
