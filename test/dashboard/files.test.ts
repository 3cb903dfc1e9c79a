import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { readDashboardFiles } from '../../src/http/files/client-files.ts'
import { type Interface, startInterface } from '../http/interface.ts'
import { folderForFile } from '../support/for-file.ts'

let api: Interface
const folder = folderForFile()

beforeAll(async () => {
  for (const [name, text] of [
    ['index.html', '<!doctype html><title>Dashboard</title>'],
    ['main.0123456789abcdef.js', 'export {}'],
    ['main.0123456789abcdef.css', 'body {}'],
    ['sources.json', '{}'],
    ['.main.0123456789abcdef.js.17', 'half'],
    ['unhashed.js', '1'],
  ] as const)
    writeFileSync(join(folder, name), text)
  api = await startInterface({ dashboardFiles: () => readDashboardFiles(pathToFileURL(`${folder}/`)) })
})
afterAll(async () => {
  await api.stop()
})

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(new URL(path, api.url), { headers, redirect: 'manual' })

test('the page is served with a policy that runs nothing but its own scripts', async () => {
  const response = await get('/dashboard/')
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(await response.text()).toContain('<title>Dashboard</title>')
  const policy = response.headers.get('content-security-policy') ?? ''
  expect(policy.split('; ')).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "frame-ancestors 'none'",
    ]),
  )
  expect(policy).not.toMatch(/unsafe|\*|https?:/)
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('cache-control')).toBe('no-cache')
  const etag = response.headers.get('etag') ?? ''
  expect((await get('/dashboard/', { 'if-none-match': etag, 'cache-control': 'max-age=0' })).status).toBe(304)
})

test('its files are served for a year, each under its own name and type', async () => {
  for (const [name, type] of [
    ['main.0123456789abcdef.js', 'text/javascript; charset=utf-8'],
    ['main.0123456789abcdef.css', 'text/css; charset=utf-8'],
  ] as const) {
    const response = await get(`/dashboard/assets/${name}`)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  }
})

test('its files come packed to a browser that takes that, and as they are to any other caller', async () => {
  for (const path of ['main.0123456789abcdef.js', 'main.0123456789abcdef.js', 'main.0123456789abcdef.css']) {
    const packed = await get(`/dashboard/assets/${path}`, { 'accept-encoding': 'gzip, deflate, br' })
    const plain = await get(`/dashboard/assets/${path}`, { 'accept-encoding': 'identity' })
    expect([packed.headers.get('content-encoding'), plain.headers.get('content-encoding')]).toEqual(['gzip', null])
    expect(packed.headers.get('vary')).toMatch(/accept-encoding/i)
    expect(await packed.text()).toBe(await plain.text())
    const again = { 'if-none-match': packed.headers.get('etag') ?? '', 'cache-control': 'max-age=0' }
    expect((await get(`/dashboard/assets/${path}`, again)).status).toBe(304)
  }
})

test.each([
  'index.html',
  'sources.json',
  'unhashed.js',
  '.main.0123456789abcdef.js.17',
  '..%2findex.html',
  '%2e%2e%2findex.html',
])('no other file is served: %s', async (name) => {
  expect((await get(`/dashboard/assets/${name}`)).status).toBe(404)
})
