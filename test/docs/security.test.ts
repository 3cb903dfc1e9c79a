import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { FAILED_AUTHENTICATION_LIMIT, OPEN_ROUTE_LIMIT } from '../../domain/rate-limits.ts'
import { BODY_BYTES_MAX } from '../../src/http/middleware/body.ts'
import { securityHeadersOf } from '../../src/http/middleware/security-headers.ts'
import { SINGLE_HEADERS } from '../../src/http/middleware/single-headers.ts'
import { HTTP_LIMITS } from '../../src/http/server/limits.ts'

const page = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8')

/** The second column of the row that begins so. */
function secondColumn(limit: string): string | undefined {
  const row = page.split('\n').find((line) => line.startsWith(`| ${limit} |`))
  return row?.split('|')[2]?.trim()
}

describe('docs/security.md', () => {
  test('tells the limits as they are', () => {
    const seconds = (milliseconds: number) => `${milliseconds / 1000} s`
    expect({
      headers: secondColumn('time for the headers'),
      body: secondColumn('time for the whole request'),
      idle: secondColumn('idle between requests'),
      still: secondColumn('stalled answer'),
      bytes: secondColumn('address and headers'),
      lines: secondColumn('headers'),
      connections: secondColumn('connections of a process'),
      connectionsOfAddress: secondColumn('connections of one address, or one /48 of IPv6'),
      whole: secondColumn('body'),
      rest: secondColumn('rest of an answered request'),
      failures: secondColumn('wrong credentials'),
      open: secondColumn('requests without a key'),
    }).toEqual({
      headers: seconds(HTTP_LIMITS.headersTimeoutMs),
      body: seconds(HTTP_LIMITS.requestTimeoutMs),
      idle: seconds(HTTP_LIMITS.keepAliveTimeoutMs),
      still: seconds(HTTP_LIMITS.idleSocketTimeoutMs),
      bytes: `${HTTP_LIMITS.headerBytesMax / 1024} KiB`,
      lines: String(HTTP_LIMITS.headersMax),
      connections: String(HTTP_LIMITS.connectionsMax),
      connectionsOfAddress: String(HTTP_LIMITS.connectionsOfAddressMax),
      whole: `${BODY_BYTES_MAX / 1024} KiB`,
      rest: `${HTTP_LIMITS.restBytesMax / 1024} KiB, and ${seconds(HTTP_LIMITS.restTimeoutMs)} where more was announced`,
      failures: `${FAILED_AUTHENTICATION_LIMIT} a minute from one address`,
      open: `${OPEN_ROUTE_LIMIT} a minute from one address`,
    })
  })

  test('names the headers that may be sent once, and no other', () => {
    const [, sentence = ''] = /The headers ([^\n]*?) may each be sent once/.exec(page) ?? []
    expect([...sentence.matchAll(/`([^`]+)`/g)].map(([, name]) => name)).toEqual(SINGLE_HEADERS)
  })

  test('tells every header that every answer has', () => {
    for (const [name, value] of Object.entries(securityHeadersOf({ isReachedByHttps: true }))) {
      expect(page).toContain(`\`${name}: ${value}\``)
    }
  })
})
