import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { METHODS } from '../../../scripts/node-client/methods.ts'
import { type InstalledPackage, installPackage } from '../../test/installed-package.ts'
import { ROOT } from '../../test/project-copy.ts'
import * as source from '../src/index.ts'
import { VERSION } from '../src/version.ts'

const CLIENT = join(ROOT, 'clients/node')
const manifest = JSON.parse(readFileSync(join(CLIENT, 'package.json'), 'utf8'))
const readme = readFileSync(join(CLIENT, 'README.md'), 'utf8')
const EXAMPLES = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code)

const JAVASCRIPT_BYTES_MAX = 10_000

let package_: InstalledPackage
/** A program that has the package installed. */
let program: string
let installed: string

beforeAll(() => {
  package_ = installPackage('node', 'build-node-client.mjs')
  program = package_.program
  installed = join(program, 'node_modules', manifest.name)
  mkdirSync(join(program, 'node_modules/@types'))
  symlinkSync(join(ROOT, 'node_modules/@types/node'), join(program, 'node_modules/@types/node'))
}, 120_000)
afterAll(() => package_?.remove())

const evaluate = (code: string, type: 'module' | 'commonjs') =>
  package_.run(process.execPath, ['--disable-warning=ExperimentalWarning', `--input-type=${type}`, '-e', code])

/** Every type, those of the package included, as the strictest program compiles it. */
function compile(files: readonly string[], options: readonly string[]): void {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--skipLibCheck', 'false']
  const common = ['--ignoreConfig', '--noEmit', '--target', 'es2022', '--types', 'node']
  package_.run(process.execPath, [tsc, ...common, ...strict, ...options, ...files])
}

/** The files of the package below a folder, by their paths. */
function filesOf(path = installed): string[] {
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesOf(join(path, entry.name)) : [join(path, entry.name)],
  )
}

describe('the package for Node', () => {
  test('has one file of JavaScript, of 10 kB at most as it is sent, its types, and what npm shows', () => {
    const names = filesOf().map((path) => path.slice(installed.length + 1))
    expect(names.filter((name) => !name.endsWith('.d.ts')).toSorted()).toEqual(
      ['LICENSE', 'README.md', 'dist/index.js', 'package.json'].toSorted(),
    )
    expect(gzipSync(readFileSync(join(installed, 'dist/index.js'))).length).toBeLessThanOrEqual(JAVASCRIPT_BYTES_MAX)
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
    ['module', `import * as client from '@holdfast/node'`],
    ['commonjs', `const client = require('@holdfast/node')`],
  ] as const)('is loaded as %s with all that its source exports', (type, load) => {
    const print = `console.log(JSON.stringify(Object.keys(client).filter((name) => name !== '__esModule')))`
    expect(JSON.parse(evaluate(`${load}; ${print}`, type)).toSorted()).toEqual(Object.keys(source).toSorted())
  })
})

describe('a program in TypeScript', () => {
  const CODE = `
    import { DeclinedError, Holdfast, type Invoice, type Page, type PaymentAnswer, webhooks } from '@holdfast/node'
    const client = new Holdfast({ projectId: 'proj_1', secretKey: 'key_live_1', apiUrl: 'https://api.example', appInfo: undefined })
    export async function program(): Promise<void> {
      const invoice: Invoice = await client.invoices.create({ name: 'Order 1', amount: '29.00', currency: 'EUR', expand: ['customer'] })
      const payment: PaymentAnswer = await client.invoices.capture(invoice.id, {}, { idempotencyKey: undefined })
      const outcome: 'success' | 'pending' = payment.outcome
      const page: Page<Invoice> = await client.invoices.list()
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
      console.log(outcome, remaining, DeclinedError)
    }`

  const write = (name: string, code: string) => {
    const file = join(program, name)
    writeFileSync(file, code)
    return file
  }

  // In one run, since the compiler takes its time: nodenext goes by the ending of each file.
  test('compiles in the strictest way as an ES module and as CommonJS, with every example of the README', () => {
    expect(EXAMPLES).toHaveLength(6)
    const known = `import type { Holdfast } from '@holdfast/node'\ndeclare const client: Holdfast\n`
    const examples = EXAMPLES.map((example, index) =>
      write(`example-${index}.mts`, example.startsWith('import ') ? example : `${known}${example}`),
    )
    const files = [write('program.mts', CODE), write('program.cts', CODE), ...examples]
    compile(files, ['--module', 'nodenext', '--moduleResolution', 'nodenext'])
  })

  test('compiles in the strictest way for a bundler', () => {
    compile([write('program.ts', CODE)], ['--module', 'esnext', '--moduleResolution', 'bundler'])
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
