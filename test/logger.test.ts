import { describe, expect, test } from '@jest/globals'
import { DriverException } from '@mikro-orm/postgresql'
import { createLogger, type Logger } from '../src/logger.ts'

function logged(write: (logger: Logger) => void): string {
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  write(createLogger({ level: 'info', process: 'test', destination }))
  return lines.join('')
}

describe('a log line', () => {
  test('shows no secret that was logged by mistake', () => {
    const text = logged((logger) =>
      logger.info({ number: '4242424242424242', headers: { authorization: 'Basic c2VjcmV0' }, input: { cvc2: '737' } }),
    )
    expect(text).not.toMatch(/4242|c2VjcmV0|737/)
    expect(text).toContain('[redacted]')
  })

  test.each(['err', 'error'])('shows of a database error under %s neither statement nor values', (name) => {
    const cause = Object.assign(new Error("insert into card values ('Lovelace')"), {
      code: '23505',
      detail: 'Key (name)=(Lovelace) already exists.',
      constraint: 'card_name_key',
    })
    const text = logged((logger) => logger.warn({ [name]: new DriverException(cause) }, 'failed'))
    expect(text).not.toContain('Lovelace')
    expect(JSON.parse(text)[name]).toMatchObject({ code: '23505', constraint: 'card_name_key' })
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
