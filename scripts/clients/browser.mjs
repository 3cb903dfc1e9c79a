/** What pages of merchants load from `/js/v1/`: the library, the card form, the frame of the bank, the hosted page. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BROWSERS, hashedName, integrityOf, ROOT } from './files.mjs'

const CLIENT = join(ROOT, 'clients/browser')
const RELEASES = join(CLIENT, 'releases')

export const browser = {
  folder: CLIENT,
  /** The form shares the rules of cards with the API. */
  sources: [
    'clients/browser/src',
    'clients/browser/package.json',
    'domain/card-number.ts',
    'domain/card-expiry.ts',
    'scripts/build-clients.mjs',
    'scripts/clients',
  ],
  /** Kept for good beside what is built. */
  kept: () =>
    existsSync(RELEASES) ? readdirSync(RELEASES).map((name) => [name, readFileSync(join(RELEASES, name))]) : [],
  build,
}

async function build() {
  const { build: bundle, transform } = await import('esbuild')
  const { version } = JSON.parse(readFileSync(join(CLIENT, 'package.json'), 'utf8'))
  const source = (name) => join(CLIENT, 'src', name)
  const script = async (entry, options) => {
    const banner = { js: `/*! Holdfast ${version}, MIT licence */` }
    const common = {
      bundle: true,
      minify: true,
      write: false,
      charset: 'utf8',
      legalComments: 'none',
      // The configuration of the type check says nothing about the result.
      tsconfigRaw: '{}',
      target: BROWSERS,
      banner,
    }
    const { outputFiles } = await bundle({ entryPoints: [source(entry)], ...common, ...options })
    return outputFiles[0].text
  }
  const style = async (name) => {
    const options = { loader: 'css', minify: true, target: BROWSERS }
    const { code } = await transform(readFileSync(source(name), 'utf8'), options)
    return code
  }
  const files = new Map()
  const integrity = {}
  for (const [name, entry, options] of [
    ['holdfast.js', 'holdfast.ts', { format: 'iife', globalName: 'Holdfast' }],
    ['holdfast.mjs', 'holdfast-module.ts', { format: 'esm' }],
  ]) {
    const text = await script(entry, options)
    integrity[name] = { integrity: integrityOf(text), immutable: hashedName(name, text) }
    files.set(name, text).set(hashedName(name, text), text)
  }
  /** A page, with its script and its style under their hashed names. */
  const addPage = (template, parts) => {
    const known = {}
    for (const [part, name, text] of parts) {
      files.set(hashedName(name, text), text)
      Object.assign(known, { [part]: hashedName(name, text), [`${part}Integrity`]: integrityOf(text) })
    }
    const page = readFileSync(source(template), 'utf8').replaceAll(/\{\{(\w+)\}\}/g, (_, name) => known[name])
    files.set(template.split('/').at(-1), page)
  }
  addPage('form/card-form.html', [
    ['script', 'card-form.js', await script('form/page.ts', { format: 'iife' })],
    ['style', 'card-form.css', await style('form/card-form.css')],
  ])
  addPage('bank/bank-frame.html', [['script', 'bank-frame.js', await script('bank/page.ts', { format: 'iife' })]])
  addPage('hosted/hosted-page.json', [
    ['script', 'hosted-page.js', await script('hosted/page.ts', { format: 'iife' })],
    ['style', 'hosted-page.css', await style('hosted/hosted-page.css')],
  ])
  const types = readFileSync(source('published.ts'), 'utf8')
  const objects = readFileSync(source('generated/objects.ts'), 'utf8').replace(/^\/\/.*\n\n/, '')
  const ofObjects = /^import type .* from '\.\/generated\/objects\.ts'\n\nexport type .*\n/m
  files.set('holdfast.d.ts', `${types.replace(ofObjects, () => objects)}\nexport as namespace Holdfast\n`)
  files.set('integrity.json', `${JSON.stringify({ version, files: integrity }, null, 2)}\n`)
  return files
}
