import { describe, expect, test } from '@jest/globals'
import { InvoiceEntity } from '../../src/persistence/entities/invoice.ts'
import { createProcessLogger } from '../../src/processes/process-logger.ts'
import { explain } from '../../src/processes/run-process.ts'
import { findSecrets } from '../support/canary/find-secrets.ts'
import { databaseForFile } from '../support/payment-for-file.ts'

const NUMBER = '4242424242424242'
const KNOWN = { numbers: [NUMBER], cvcs: ['737'], others: [] }
const SECRETS = [
  NUMBER,
  '5555 5555 5555 4444',
  `key_live_${'a'.repeat(32)}`,
  `key_sandbox_${'b'.repeat(32)}`,
  `key_test_${'c'.repeat(32)}`,
  `ivs_${'d'.repeat(43)}`,
  `whsec_${'e'.repeat(43)}=`,
  `Basic ${Buffer.from('proj_1:a secret that is long').toString('base64')}`,
]

function logged(write: (logger: ReturnType<typeof createProcessLogger>) => void): string {
  const lines: string[] = []
  write(createProcessLogger('test', 'trace', { write: (line: string) => void lines.push(line) }))
  return lines.join('')
}

const logOf = (text: string): string => {
  // An error of an error, as libraries wrap them, and one with fields of its own.
  const error = Object.assign(new Error(`said ${text}`, { cause: new Error(text) }), { config: { data: text } })
  return logged((logger) => {
    logger.info({ note: text, deep: { in: [{ a: { list: [text] } }] }, [text]: 1 }, `about ${text}`)
    logger.error({ err: error }, 'failed')
    logger.error({ error }, 'failed')
    logger.warn({ url: `https://shop.example/${encodeURI(text)}?x=${text}` })
    logger.child({ bound: text }).info('a child')
    logger.info(text)
  })
}

describe('the log of a process', () => {
  test.each(SECRETS)('does not show %s, wherever it stands', (secret) => {
    const text = logOf(secret)
    expect(text).not.toContain(secret)
    expect(findSecrets(text, KNOWN)).toEqual([])
    const lines = text.trim().split('\n')
    expect(lines).toHaveLength(6)
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow()
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ level: 'error', process: 'test', msg: 'failed' })
  })

  test('does not show a number that is one of JSON', () => {
    const text = logged((logger) => logger.info({ answer: { value: Number(NUMBER) } }, 'a number'))
    expect(text).not.toContain(NUMBER)
    expect(JSON.parse(text)).toMatchObject({ answer: { value: '************4242' } })
  })

  test('shows everything else to the letter', () => {
    const line = { invoice_id: 'iv_1', duration_ms: 12, at: 1795252973394, list: [1, { a: null }] }
    expect(JSON.parse(logged((logger) => logger.info(line, 'a request')))).toMatchObject(line)
  })
})

describe('what a process says at its end', () => {
  const database = databaseForFile()

  test.each(SECRETS)('does not show %s', (secret) => {
    for (const thrown of [new Error(`Said: ${secret}`), `Said: ${secret}`, new Error('x', { cause: secret })]) {
      expect(explain(thrown)).not.toContain(secret)
    }
  })

  test('repeats nothing of the row that the database refused, nor of the values of the statement', async () => {
    const row = {
      id: 'iv_1',
      projectId: 'proj_none',
      sandbox: true,
      name: 'Ann Example',
      amountMinor: 1,
      currency: 'EUR',
    }
    const error = await database.orm.em
      .fork()
      .insert(InvoiceEntity, row as never)
      .catch((thrown: unknown) => thrown)
    expect(String(error)).toContain('Ann Example')
    const text = explain(error)
    expect(text).toMatch(/^\w+Exception \(\d{5}, invoice/)
    expect(text).toContain('process-logger.test.ts')
    expect(text).not.toContain('Ann Example')
  })
})
