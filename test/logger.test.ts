import { describe, expect, test } from '@jest/globals'
import { createLogger, type Logger } from '../src/logger.ts'

const describeError = (thrown: unknown) => (thrown instanceof Error ? { type: thrown.name } : thrown)

function logged(write: (logger: Logger) => void): string {
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  write(createLogger({ level: 'info', process: 'test', describeError, destination }))
  return lines.join('')
}

describe('a log line', () => {
  test('shows no secret that was logged by mistake', () => {
    const text = logged((logger) =>
      logger.info({ number: '4242424242424242', headers: { authorization: 'Basic c2VjcmV0' }, input: { cvc2: '737' } }),
    )
    // Field by field, since the digits of a code are in the time as well now and then.
    const hidden = '[redacted]'
    const { level, time, process, ...shown } = JSON.parse(text)
    expect(shown).toEqual({ number: hidden, headers: { authorization: hidden }, input: { cvc2: hidden } })
  })

  test.each(['err', 'error'])('shows of an error under %s only what may be shown', (name) => {
    const error = Object.assign(new Error('the name is Lovelace'), { detail: 'Key (name)=(Lovelace)' })
    const text = logged((logger) => logger.warn({ [name]: error }, 'failed'))
    expect(text).not.toContain('Lovelace')
    expect(JSON.parse(text)[name]).toEqual({ type: 'Error' })
  })

  test('has a level and a time that a person can read, and the process that wrote it', () => {
    const line = JSON.parse(logged((logger) => logger.warn({ invoice_id: 'iv_1' }, 'late')))
    expect(line).toMatchObject({ level: 'warn', process: 'test', invoice_id: 'iv_1', msg: 'late' })
    expect(line.time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  })

  test('is not written below the level asked for', () => {
    expect(logged((logger) => logger.debug('detail'))).toBe('')
  })
})
