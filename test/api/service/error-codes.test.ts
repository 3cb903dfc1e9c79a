import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { ERRORS, retryClassOf } from '../../../domain/errors.ts'
import { interfaceForFile } from '../../http/interface.ts'

const ROOT = join(import.meta.dirname, '../../..')
const CODES = Object.keys(ERRORS)

test('every code is used somewhere', () => {
  const sources = ['domain', 'activities', 'workflows', 'src'].flatMap((room) =>
    readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && name !== 'errors.ts')
      .map((name) => readFileSync(join(ROOT, room, name), 'utf8')),
  )
  const text = sources.join('\n')
  expect(CODES.filter((code) => !text.includes(`'${code}'`))).toEqual([])
})

describe('GET /error-codes', () => {
  const api = interfaceForFile()

  test('tells a caller without a key what every code means and what to do', async () => {
    const answer = await fetch(new URL('/error-codes', api.url))
    const { gateway, ...body } = (await answer.json()) as { gateway: object }
    expect(body).toEqual({
      success: true,
      error_codes: Object.entries(ERRORS).map(([code, { status, message, advice }]) => ({
        code,
        http_status: status,
        message,
        advice,
        retry_class: retryClassOf(code),
      })),
    })
    // As client libraries read them: each code once.
    expect(Object.values(gateway).flat().toSorted()).toEqual(CODES.toSorted())
    expect(gateway).toMatchObject({
      card: CODES.filter((code) => code.startsWith('card.')),
      generic: expect.arrayContaining(['resource.invoice.not-found', 'server.unavailable']),
      wallet: [],
    })
  })
})

test('the codes of a family stand together', () => {
  const families = CODES.map((code) => code.split('.')[0]).filter((family, index, all) => family !== all[index - 1])
  expect(new Set(families).size).toBe(families.length)
})
