import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createFilesApp } from './sites.ts'

let server: Server
let url: string
const asked: string[] = []

beforeAll(async () => {
  const pageOrigins = async (projectId: string) => {
    asked.push(projectId)
    if (projectId === 'proj_any') return []
    return [
      'https://shop.example',
      'http://localhost:4000',
      'https://evil.example; script-src *',
      'x\r\nSet-Cookie: a=b',
    ]
  }
  server = createServer(createFilesApp({ pageOrigins }).callback())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/js/v1/`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

const get = (path: string, headers = {}) => fetch(url + path, { headers })
const immutable = async () => (await (await get('integrity.json')).json()).files['holdfast.js'].immutable as string

describe('a file that is not one of the library', () => {
  test.each([
    '',
    'sources.json',
    'card-form.js',
    'holdfast.0000000000000000.js',
    '..%2f..%2fpackage.json',
    '.holdfast.js.1',
  ])('%j is not there', async (path) => {
    const answer = await get(path)
    expect(answer.status).toBe(404)
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe.each(['card-form.html', 'bank-frame.html'])('%s', (page) => {
  test.each(['', '?project=', '?project=shop', '?project=proj_a&project=proj_b', '?project=proj_%0a'])(
    'is not shown without a project: %j',
    async (query) => {
      const answer = await get(page + query)
      expect([answer.status, (await answer.json()).invalid_fields[0].name]).toEqual([400, 'project'])
    },
  )

  test.each([
    ['test-proj_1', "'self' https://shop.example http://localhost:4000"],
    // What is sent in the clear can be changed on its way.
    ['proj_1', "'self' https://shop.example"],
    ['test-proj_any', "'self' *"],
    ['proj_any', "'self' https:"],
  ])('is shown by the pages that are listed for its project, else by any: %s', async (project, sources) => {
    const answer = await get(`${page}?project=${project}`)
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy.split('; ')).toContain(`frame-ancestors ${sources}`)
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(asked.at(-1)).toBe(project.replace('test-', ''))
  })

  test('runs its own script only, and is never answered from a cache of another project', async () => {
    const answer = await get(`${page}?project=proj_1`)
    const policy = answer.headers.get('content-security-policy') ?? ''
    for (const part of ["default-src 'none'", "script-src 'self'", "form-action 'none'", "trusted-types 'none'"])
      expect(policy.split('; ')).toContain(part)
    expect(policy).not.toContain('unsafe')
    expect(answer.headers.get('cache-control')).toBe('no-cache')
    expect(answer.headers.get('etag')).toBeNull()
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    const html = await answer.text()
    const [, script = '', integrity = ''] = /<script defer src="([^"]+)" integrity="(sha384-[^"]+)"/.exec(html) ?? []
    expect(integrity).not.toBe('')
    expect((await get(script)).status).toBe(200)
    expect(html).not.toMatch(/\{\{|style=|<script>/)
  })
})

describe('a script', () => {
  test('under its hash is kept for good, and under its name for minutes', async () => {
    const [named, hashed] = await Promise.all([get('holdfast.js'), get(await immutable())])
    expect(named.headers.get('cache-control')).toBe('public, max-age=300')
    expect(hashed.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(await named.text()).toBe(await hashed.text())
  })

  test('can be loaded by every page, with an integrity and where the page isolates itself', async () => {
    for (const name of ['holdfast.js', 'holdfast.mjs', 'holdfast.d.ts', 'integrity.json', await immutable()]) {
      const { headers } = await get(name, { origin: 'https://shop.example' })
      expect([name, headers.get('access-control-allow-origin'), headers.get('cross-origin-resource-policy')]).toEqual([
        name,
        '*',
        'cross-origin',
      ])
    }
    expect((await get('holdfast.mjs')).headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  })
})
