import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from '@jest/globals'
import { createProcessLogger } from '../../src/processes/process-logger.ts'
import { terminalLog } from '../../src/processes/terminal-log.ts'
import { folderForFile } from '../support/for-file.ts'

const folder = folderForFile()

const REQUEST = { request_id: 'req_1', method: 'POST', route: '/cards', status: 200, duration_ms: 12 }

test.each<[string, 'info' | 'warn' | 'error', object, string, string | null]>([
  ['a request', 'info', REQUEST, 'request', 'POST   /cards 200 12 ms req_1'],
  [
    'the invoice of a request',
    'info',
    { ...REQUEST, route: '/invoices/:id/capture', invoice_id: 'iv_1', status: 410, error_type: 'card.no-money' },
    'request',
    'POST   /invoices/iv_1/capture 410 card.no-money 12 ms req_1',
  ],
  [
    'the object of a request',
    'info',
    { ...REQUEST, route: '/transactions/:id/refunds', object_id: 'tr_1', invoice_id: 'iv_1' },
    'request',
    'POST   /transactions/tr_1/refunds 200 12 ms req_1',
  ],
  [
    'an object that was not found',
    'info',
    { ...REQUEST, route: '/customers/:id/tokens/:token_id', status: 404 },
    'request',
    'POST   /customers/{id}/tokens/{token_id} 404 12 ms req_1',
  ],
  ['a command that asks whether there is something new', 'info', { ...REQUEST, is_polling: true }, 'request', null],
  [
    'an unknown address',
    'info',
    { ...REQUEST, route: 'none', status: 404 },
    'request',
    'POST   (no such address) 404 12 ms req_1',
  ],
  ['a page of a person', 'info', { ...REQUEST, caller: 'person' }, 'request', null],
  ['a health check', 'info', { ...REQUEST, route: '/health/live' }, 'request', null],
  ['what is for the log only', 'info', {}, 'swept', null],
  ['a warning', 'warn', {}, 'The connection is not encrypted', 'warning The connection is not encrypted'],
  [
    'an error without its stack',
    'error',
    { err: new Error('gone\nat x') },
    'Worker failed',
    'error Worker failed: gone',
  ],
])('a terminal shows %s in a line, and the file has all of it', (_, level, fields, message, expected) => {
  const lines: string[] = []
  const show = (line: string) => void lines.push(stripVTControlCharacters(line).replace(/^\d\d:\d\d:\d\d /, ''))
  const destination = terminalLog(folder, { show, stopping: new AbortController().signal })
  createProcessLogger('server', 'info', destination)[level](fields, message)
  expect(lines).toEqual(expected === null ? [] : [expected])
  const last = readFileSync(join(folder, 'holdfast.log'), 'utf8').trimEnd().split('\n').at(-1) ?? ''
  expect(JSON.parse(last)).toMatchObject({ process: 'server', level, msg: message })
})

test('what libraries say while the process stops is in the file alone, which begins anew when it is full', () => {
  const lines: string[] = []
  const show = (line: string) => void lines.push(line)
  const options = { show, stopping: AbortSignal.abort(), bytesMax: 1 }
  const logger = createProcessLogger('server', 'info', terminalLog(folder, options))
  for (const message of ['first', 'second', 'third']) logger.error({ err: new Error('Poll failed') }, message)
  expect(lines).toEqual([])
  const messagesIn = (name: string) => readFileSync(join(folder, name), 'utf8').match(/(?<="msg":")\w+/g)
  expect([messagesIn('holdfast.1.log'), messagesIn('holdfast.log')]).toEqual([['second'], ['third']])
})
