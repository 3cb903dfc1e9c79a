import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { cachedTools } from '../../../scripts/cached-tools.ts'
import { METHODS } from '../../../scripts/node-client/methods.ts'
import { type InstalledPackage, installPackage } from '../../test/installed-package.ts'
import { ROOT } from '../../test/project-copy.ts'
import * as source from '../src/index.ts'
import { VERSION } from '../src/version.ts'
import * as web from '../src/webhooks-web.ts'

const CLIENT = join(ROOT, 'clients/node')
const manifest = JSON.parse(readFileSync(join(CLIENT, 'package.json'), 'utf8'))
const readme = readFileSync(join(CLIENT, 'README.md'), 'utf8')
const EXAMPLES = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code)

const JAVASCRIPT_BYTES_MAX = 10_000
const WEB_BYTES_MAX = 2_000

/** What programs still use, as it was on a day, so that each installation is the same. */
const OLDER_TOOLS = ['jest@29.7.0', 'typescript@5.9.3', '--before=2026-11-01']

let package_: InstalledPackage
/** A program that has the package installed. */
let program: string
let installed: string
/** The folder of the older tools. */
let older: string

beforeAll(async () => {
  older = await cachedTools('older-node-tools', Buffer.from(OLDER_TOOLS.join(' ')), async (folder) => {
    writeFileSync(join(folder, 'package.json'), '{"private": true}')
    execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...OLDER_TOOLS], { cwd: folder })
  })
  package_ = installPackage('node', 'build-node-client.mjs')
  program = package_.program
  installed = join(program, 'node_modules', manifest.name)
  mkdirSync(join(program, 'node_modules/@types'))
  symlinkSync(join(ROOT, 'node_modules/@types/node'), join(program, 'node_modules/@types/node'))
})
afterAll(() => package_?.remove())

const evaluate = (code: string, type: 'module' | 'commonjs') =>
  package_.run(process.execPath, ['--disable-warning=ExperimentalWarning', `--input-type=${type}`, '-e', code])

/** Every type, those of the package included, as the strictest program compiles it. */
function compile(files: readonly string[], options: readonly string[], tools = ROOT): void {
  const tsc = join(tools, 'node_modules/typescript/bin/tsc')
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--skipLibCheck', 'false']
  const common = ['--noEmit', '--target', 'es2022', '--types', 'node']
  package_.run(process.execPath, [tsc, ...common, ...strict, ...options, ...files])
}

/** The files of the package below a folder, by their paths. */
function filesOf(path = installed): string[] {
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesOf(join(path, entry.name)) : [join(path, entry.name)],
  )
}

describe('the package for Node', () => {
  test('has JavaScript of 10 kB at most as it is sent, its types, and what npm shows', () => {
    const names = filesOf().map((path) => path.slice(installed.length + 1))
    const code = ['index', 'webhooks-web'].flatMap((name) => [`dist/${name}.js`, `dist/${name}.mjs`])
    expect(names.filter((name) => !/\.d\.m?ts$/.test(name)).toSorted()).toEqual(
      ['LICENSE', 'README.md', 'dist/package.json', 'package.json', ...code].toSorted(),
    )
    const sizeOf = (name: string) => gzipSync(readFileSync(join(installed, 'dist', name))).length
    expect(sizeOf('index.js')).toBeLessThanOrEqual(JAVASCRIPT_BYTES_MAX)
    expect(sizeOf('webhooks-web.mjs')).toBeLessThanOrEqual(WEB_BYTES_MAX)
  })

  test('needs no other package, and says its version and licence', () => {
    expect(manifest).toMatchObject({ version: VERSION, license: 'MIT' })
    for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies'])
      expect(manifest).not.toHaveProperty(kind)
    expect(readFileSync(join(CLIENT, 'LICENSE'), 'utf8')).toBe(readFileSync(join(ROOT, 'LICENSE'), 'utf8'))
    expect(
      readdirSync(join(program, 'node_modules'))
        .filter((name) => !name.startsWith('.'))
        .toSorted(),
    ).toEqual(['@holdfast', '@types'].toSorted())
  })

  test.each([
    ['module', '@holdfast/node', source],
    ['commonjs', '@holdfast/node', source],
    ['module', '@holdfast/node/webhooks', web],
    ['commonjs', '@holdfast/node/webhooks', web],
  ] as const)('is loaded as %s with all that its source exports: %s', (type, name, exported) => {
    const load = type === 'module' ? `import * as loaded from '${name}'` : `const loaded = require('${name}')`
    // What Node adds for programs that were compiled is no export.
    const print = `Object.keys(loaded).filter((name) => !/^__esModule$|^module\\.exports$|^default$/.test(name))`
    const names = JSON.parse(evaluate(`${load}; console.log(JSON.stringify(${print}))`, type))
    expect(names.toSorted()).toEqual(Object.keys(exported).toSorted())
  })

  test('has the same classes for both kinds of programs, so that instanceof holds across them', () => {
    const code = `import('@holdfast/node').then((loaded) =>
      console.log(['Holdfast', 'DeclinedError'].every((name) => loaded[name] === require('@holdfast/node')[name])))`
    expect(evaluate(code, 'commonjs')).toBe('true\n')
  })

  test('verifies webhooks where there is nothing of Node', async () => {
    const globals = { crypto, TextEncoder, TextDecoder, Uint8Array, atob, btoa, module: {} as { exports: typeof web } }
    runInContext(readFileSync(join(installed, 'dist/webhooks-web.js'), 'utf8'), createContext(globals))
    const { webhooks } = globals.module.exports
    const [body, secret] = ['{"event_id":"ev_1","event_type":"card.updated"}', `whsec_${btoa('secret')}`]
    const headers = source.webhooks.sign(body, secret, { id: 'ev_1' })
    expect(await webhooks.verify(Buffer.from(body), new Headers(headers), secret)).toMatchObject({ event_id: 'ev_1' })
    await expect(webhooks.verify(`${body} `, headers, secret)).rejects.toMatchObject({
      name: 'WebhookVerificationError',
    })
  })

  test.each([
    ['29', () => older],
    ['30', () => ROOT],
  ])('is tested by Jest %s without options', (_, tools) => {
    const code = `
      const { Holdfast, HoldfastError } = require('@holdfast/node')
      const { webhooks } = require('@holdfast/node/webhooks')
      test('it is there', async () => {
        const options = { projectId: 'proj_1', secretKey: 'key_live_1', apiUrl: 'http://127.0.0.1:1', maxRetries: 0 }
        await expect(new Holdfast(options).invoices.list()).rejects.toBeInstanceOf(HoldfastError)
        const headers = await webhooks.sign(Buffer.from('{}'), 'whsec_abcd', { id: 'ev_1' })
        await webhooks.verify(Buffer.from('{}'), headers, 'whsec_abcd')
      })`
    writeFileSync(join(program, 'client.test.js'), code)
    package_.run(process.execPath, [join(tools(), 'node_modules/jest/bin/jest.js'), '--rootDir', program])
  })
})

describe('a program in TypeScript', () => {
  const CODE = `
    import { DeclinedError, Holdfast, type Invoice, type Page, type PaymentAnswer, webhooks } from '@holdfast/node'
    import { webhooks as web } from '@holdfast/node/webhooks'
    const client = new Holdfast({ projectId: 'proj_1', secretKey: 'key_live_1', apiUrl: 'https://api.example', appInfo: undefined })
    export async function program(): Promise<void> {
      const invoice: Invoice = await client.invoices.create({ name: 'Order 1', amount: '29.00', currency: 'EUR', expand: ['customer'] })
      const payment: PaymentAnswer = await client.invoices.capture(invoice.id, {}, { idempotencyKey: undefined })
      const outcome: 'success' | 'pending' = payment.outcome
      const promise: Promise<Page<Invoice>> = client.invoices.list()
      const page: Page<Invoice> = await promise
      for await (const one of client.invoices.list()) one satisfies Invoice
      const remaining: number | undefined = page.lastResponse.rateLimit?.remaining
      const { event_id, event_type } = webhooks.verify('', new Headers(), 'whsec_')
      const { data } = await client.events.retrieve(event_id)
      if (data.name === 'transaction.refunded') data.refund.amount satisfies string
      // @ts-expect-error An amount is a decimal text: a number is off by a cent one day.
      await client.invoices.create({ name: 'Order 1', amount: 29, currency: 'EUR' })
      // @ts-expect-error An invoice needs its amount.
      await client.invoices.create({ name: 'Order 1', currency: 'EUR' })
      // @ts-expect-error There is no such field.
      await client.invoices.authorize(invoice.id, { sources: 'card_1' })
      // @ts-expect-error There is no such event.
      if (event_type === 'transaction.paid') return
      // @ts-expect-error The transaction of a step that has just begun may be missing.
      payment.transaction.status
      // @ts-expect-error What WebCrypto verifies is awaited.
      web.verify('', new Headers(), 'whsec_').event_id
      const raw: { thing: string } = await client.raw<{ thing: string }>('GET', '/things', { params: { limit: 1 } })
      console.log(outcome, remaining, DeclinedError, raw)
    }`

  const write = (name: string, code: string) => {
    const file = join(program, name)
    writeFileSync(file, code)
    return file
  }

  // In one run, since the compiler takes its time: nodenext goes by the ending of each file.
  test('compiles in the strictest way as an ES module and as CommonJS, with every example of the README', () => {
    expect(EXAMPLES).toHaveLength(8)
    const known = `import type { Holdfast } from '@holdfast/node'\ndeclare const client: Holdfast\n`
    const examples = EXAMPLES.map((example, index) =>
      write(`example-${index}.mts`, example.startsWith('import ') ? example : `${known}${example}`),
    )
    const files = [write('program.mts', CODE), write('program.cts', CODE), ...examples]
    compile(files, ['--ignoreConfig', '--module', 'nodenext', '--moduleResolution', 'nodenext'])
  })

  test.each(['node16', 'commonjs'])('compiles in the strictest way with TypeScript 5 and --module %s', (module) => {
    const resolution = module === 'commonjs' ? 'node10' : module
    const files = ['cts', ...(module === 'commonjs' ? [] : ['mts'])].map((ending) => write(`program.${ending}`, CODE))
    compile(files, ['--module', module, '--moduleResolution', resolution], older)
  })

  test('compiles in the strictest way for a bundler', () => {
    const options = ['--ignoreConfig', '--module', 'esnext', '--moduleResolution', 'bundler']
    compile([write('program.ts', CODE)], options)
  })
})

test('the README names every method beside its resource', () => {
  const rows = [...readme.matchAll(/^\| (`[a-zA-Z.]+`(?:, `[a-zA-Z.]+`)*) \| (`\w+`(?:, `\w+`)*) \|$/gm)]
  const words = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word)
  const named = rows.flatMap(([, resources, methods]) =>
    words(resources).flatMap((resource) => words(methods).map((method) => `${resource}.${method}`)),
  )
  expect(named.toSorted()).toEqual(Object.values(METHODS).toSorted())
})
