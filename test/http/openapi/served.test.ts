import { describe, expect, test } from '@jest/globals'
import { interfaceForFile } from '../interface.ts'

describe('GET /openapi.json', () => {
  const api = interfaceForFile()

  test('needs no key, is compressed and is not sent twice', async () => {
    const first = await fetch(new URL('/openapi.json', api.url))
    expect(first.status).toBe(200)
    expect(first.headers.get('content-encoding')).toBe('gzip')
    expect(first.headers.get('access-control-allow-origin')).toBe('*')
    const document = (await first.json()) as { openapi: string }
    expect(document.openapi).toBe('3.1.0')
    const again = await fetch(new URL('/openapi.json', api.url), {
      // Node would ask for no cached answer otherwise.
      headers: { 'if-none-match': String(first.headers.get('etag')), 'cache-control': 'max-age=0' },
    })
    expect(again.status).toBe(304)
  })
})
