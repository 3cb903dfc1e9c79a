import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import * as source from '../src/index.ts'

/** The package as it is published: built by TypeScript, with its types, and without anything else. */

const FOLDER = fileURLToPath(new URL('..', import.meta.url))
const manifest = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8'))

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.\w+$/.test(name))

describe('the package for React Native', () => {
  /** An app that has the package installed. */
  let app: string
  let installed: string

  /** What TypeScript says; nothing, if all is well. */
  function tsc(...options: string[]): string {
    const manifestOfTypeScript = createRequire(import.meta.url).resolve('typescript/package.json')
    const { bin } = JSON.parse(readFileSync(manifestOfTypeScript, 'utf8'))
    const program = join(dirname(manifestOfTypeScript), bin.tsc)
    return spawnSync(process.execPath, [program, ...options], { cwd: app, encoding: 'utf8' }).stdout
  }

  beforeAll(() => {
    app = mkdtempSync(join(tmpdir(), 'holdfast-app-'))
    installed = join(app, 'node_modules', manifest.name)
    mkdirSync(installed, { recursive: true })
    copyFileSync(join(FOLDER, 'package.json'), join(installed, 'package.json'))
    expect(tsc('-p', FOLDER, '--outDir', join(installed, 'dist'))).toBe('')
  })
  afterAll(() => rmSync(app, { recursive: true, force: true }))

  test('is built with its types, a file of each for every file', () => {
    const names = filesBelow(join(FOLDER, 'src')).map((name) => name.replace(/\.ts$/, ''))
    const built = names.flatMap((name) => [`${name}.d.ts`, `${name}.js`])
    expect(filesBelow(join(installed, 'dist')).toSorted()).toEqual(built.toSorted())
  })

  test('can be loaded, and exports what its source exports', async () => {
    const built = await import(pathToFileURL(join(installed, manifest.main)).href)
    expect(Object.keys(built).toSorted()).toEqual(Object.keys(source).toSorted())
    expect(new built.HoldfastClient({ projectId: 'proj_a', baseUrl: 'https://api.example.com' }).invoices).toBeDefined()
  })

  test.each([
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])('is found by the TypeScript of an app with module %s and resolution %s', (module, moduleResolution) => {
    const file = join(app, 'app.mts')
    const options = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--types',
      '',
      '--module',
      module,
      '--moduleResolution',
      moduleResolution,
    ]
    writeFileSync(
      file,
      `import { createBrowserService, HoldfastClient, type AuthorizedInvoice } from '${manifest.name}'
       const client = new HoldfastClient({ projectId: 'proj_a', baseUrl: 'https://api.example.com' })
       const service = createBrowserService({ openBrowser: async () => ({ type: 'cancel' }) })
       export const paid: Promise<AuthorizedInvoice> = client.invoices.authorizeInvoice(
         { invoiceId: 'iv_a', source: 'card_a', webAuthenticationCallback: { host: 'shop.example', path: '/return' } },
         service,
       )
       // @ts-expect-error A request needs its source.
       client.invoices.authorizeInvoice({ invoiceId: 'iv_a' }, service)`,
    )
    expect(tsc(...options, file)).toBe('')
  })

  test('names files that it has, and needs no other package', () => {
    expect(manifest).toMatchObject({ name: '@holdfast/react-native', files: ['dist'] })
    expect(manifest).not.toHaveProperty('dependencies')
    for (const path of [manifest.main, manifest.types, ...Object.values(manifest.exports['.'])])
      expect(existsSync(join(installed, String(path)))).toBe(true)
  })

  test('uses nothing of Node, and no address object, of which React Native has half', () => {
    const files = filesBelow(join(FOLDER, 'src')).map((name) => readFileSync(join(FOLDER, 'src', name), 'utf8'))
    for (const text of files)
      expect(text).not.toMatch(/from '(?:node:|[a-z@])|\bnew URL\b|URLSearchParams|\bBuffer\.|process\.|console\./)
  })
})
