import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { copyProject, type ProjectCopy, ROOT } from '../../test/project-copy.ts'

const DIST = join(ROOT, 'clients/browser/dist')
/** What a page loads before it can show the form, compressed. */
const GZIP_MAX = 15_000

const MODULE = `
  import { Client, HoldfastError, type PaymentResult } from '@holdfast/browser'
  const client = new Client('proj_1', { apiUrl: 'https://api.example', locale: 'de' })
  const form = await client.setupForm('#card', { theme: { borderRadius: 4 }, name: 'optional' })
  form.on('change', ({ isComplete, fields }) => isComplete && fields.cvc.isValid)
  const card = await client.tokenize(form, { contact: { zip: '1010' } })
  const paid: PaymentResult = await client.pay('iv_1', card, { authorize_only: true, client_secret: null })
  client.makeCardPayment('iv_1', card.id, null, (id: string) => id, (error) => error.code + error.message)
  const again: PaymentResult | null = await client.resume('iv_1')
  if ((again as unknown) instanceof HoldfastError) console.info(paid.status)
  // @ts-expect-error
  await client.pay('iv_1', card, { capture_ammount: '1.00' })
  // @ts-expect-error
  await client.setupForm('#card', { theme: { colour: '#fff' } })
`
const SCRIPT = `
  /// <reference path="./node_modules/@holdfast/browser/dist/holdfast.d.ts" />
  const client: Holdfast.Client = new Holdfast.Client('proj_1')
`

const read = (name: string) => readFileSync(join(DIST, name))
const integrity = JSON.parse(read('integrity.json').toString()) as {
  files: Record<string, { integrity: string; immutable: string }>
}

describe('the built library', () => {
  test.each(['holdfast.js', 'holdfast.mjs'])('%s has at most 15 kB, compressed', (name) => {
    expect(gzipSync(read(name), { level: 9 }).length).toBeLessThan(GZIP_MAX)
  })

  test.each(Object.entries(integrity.files))(
    '%s is also there under its hash, which is published',
    (name, { integrity: sri, immutable }) => {
      expect(read(immutable).equals(read(name))).toBe(true)
      expect(sri).toBe(`sha384-${createHash('sha384').update(read(name)).digest('base64')}`)
    },
  )

  test('writes to the console where no number is, and runs no text as code', () => {
    for (const name of readdirSync(DIST).filter((one) => /\.m?js$/.test(one))) {
      const text = read(name).toString()
      // What runs in the page sees no card; its one warning is for the developer.
      const warnings = /^(holdfast|hosted-page)\b/.test(name) ? ['console.warn'] : []
      expect([name, text.match(/console\.\w*/g) ?? []]).toEqual([name, warnings])
      expect([name, /\beval\(|new Function|innerHTML|document\.write/.exec(text)]).toEqual([name, null])
    }
  })

  test('is the one of the guide', () => {
    const guide = readFileSync(join(ROOT, 'docs/card-form.md'), 'utf8')
    const script = integrity.files['holdfast.js']
    expect(guide).toContain(`/js/v1/${script?.immutable}" integrity="${script?.integrity}"`)
  })
})

describe('the types', () => {
  test('fit the script and the module, and refuse what there is not', () => {
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-types-'))
    const package_ = join(folder, 'node_modules/@holdfast/browser')
    mkdirSync(join(package_, 'dist'), { recursive: true })
    cpSync(join(DIST, 'holdfast.d.ts'), join(package_, 'dist/holdfast.d.ts'))
    cpSync(join(ROOT, 'clients/browser/package.json'), join(package_, 'package.json'))
    writeFileSync(join(folder, 'module.mts'), MODULE)
    writeFileSync(join(folder, 'script.ts'), SCRIPT)
    const options = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--moduleDetection',
      'legacy',
      '--lib',
      'es2022,dom',
      '--types',
      '',
      'module.mts',
    ]
    const { status, stdout } = spawnSync(
      process.execPath,
      [join(ROOT, 'node_modules/typescript/bin/tsc'), ...options, 'script.ts'],
      { cwd: folder },
    )
    rmSync(folder, { recursive: true })
    expect([status, stdout.toString()]).toEqual([0, ''])
  })
})

describe('building', () => {
  let project: ProjectCopy
  beforeAll(() => {
    project = copyProject('clients/browser')
  })
  afterAll(() => project.remove())

  const dist = (name: string) => readFileSync(project.path(`clients/browser/dist/${name}`))

  test('makes the same bytes anywhere, and writes nothing where the sources are the same', () => {
    const files = project.build()
    for (const name of readdirSync(DIST)) expect(dist(name).equals(read(name))).toBe(true)
    expect(project.build()).toEqual(files)
  })

  test('follows its sources; released scripts stay, and others go', () => {
    const before = Object.keys(project.build('--release'))
    const released = readdirSync(project.path('clients/browser/releases'))
    expect(released.map((name) => name.replace(/[0-9a-f]{16}/, '#')).sort()).toEqual([
      'holdfast.#.js',
      'holdfast.#.mjs',
    ])
    appendFileSync(project.path('clients/browser/src/errors.ts'), "\nexport const ADDED = 'added'\n")
    appendFileSync(project.path('clients/browser/src/holdfast.ts'), "export { ADDED } from './errors.ts'\n")
    appendFileSync(project.path('clients/browser/src/form/card-form.css'), 'p { top: 0 }\n')
    const after = Object.keys(project.build())
    expect(after).toEqual(expect.arrayContaining(released))
    expect(dist('holdfast.js').toString()).toContain('added')
    const style = (names: string[]) => names.filter((name) => /^card-form\..*\.css$/.test(name))
    expect(style(after)).toHaveLength(1)
    expect(style(after)).not.toEqual(style(before))
  })
})
