import { describe, expect, test } from '@jest/globals'
import { MADE_PAGES, shownPages } from '../../../src/pages/shown-pages.ts'
import { interfaceForFile } from '../interface.ts'

const api = interfaceForFile()
const load = (path: string) => fetch(new URL(path, api.url), { redirect: 'manual' })

describe('the document', () => {
  test('needs no key, is compressed and is not sent twice', async () => {
    const first = await load('/openapi.json')
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

describe('the files of the reference page', () => {
  test('are these, and no other file of the folder', async () => {
    for (const file of ['reference.js', 'reference.css', 'icon.svg']) {
      const answer = await load(`/docs/${file}`)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toMatch(/^(text\/(javascript|css)|image\/svg)/)
      expect(answer.headers.get('content-encoding')).toBe('gzip')
    }
    for (const file of ['package.json', '..%2Fpackage.json', 'reference-page.ts', '__proto__'])
      expect((await load(`/docs/${file}`)).status).toBe(404)
  })

  test.each([
    ['/docs/nothing', '../docs'],
    ['/docs/guides/nothing', '../../docs'],
  ])('a page that is not there leads on: %s', async (path, reference) => {
    const answer = await load(path)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(await answer.text()).toContain(`<a href="${reference}">Reference</a>`)
  })

  test('are found by the page under any path: its address ends without a slash', async () => {
    const answer = await load('/docs/')
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '../docs'])
    const page = await (await load('/docs')).text()
    const addresses = [...page.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, address = '']) => address)
    const [icon, style, script, ...links] = addresses
    expect([icon, style, script]).toEqual(['docs/icon.svg', 'docs/reference.css', 'docs/reference.js'])
    const { guides, topics } = shownPages()
    const shown = [...guides, ...topics, ...MADE_PAGES].map(({ path }) => `docs/${path}`)
    expect(new Set(links)).toEqual(new Set([...shown, 'https://www.standardwebhooks.com', 'openapi.json']))
  })
})
