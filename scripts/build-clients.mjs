/**
 * Builds what browsers load from `/js/v1/` into `clients/browser/dist`. `scripts/prepare.mjs` runs it before every command,
 * so it only compares the hash of the sources where nothing has changed. Plain JavaScript, for whatever Node the machine has.
 *
 * `--release` keeps the hashed files of this build for good; `--docs` writes their hashes into the guide.
 */
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const CLIENT = join(ROOT, 'clients/browser')
const DIST = join(CLIENT, 'dist')
const RELEASES = join(CLIENT, 'releases')
const GUIDE = join(ROOT, 'docs/card-form.md')

/** What the result depends on. The form shares the rules of cards with the API. */
const SOURCES = [
  'clients/browser/src',
  'clients/browser/package.json',
  'domain/card-number.ts',
  'domain/card-expiry.ts',
  'scripts/build-clients.mjs',
]
/** Where the record of a build says what it was built from. */
const RECORD = 'sources.json'

const HASHED = /\.[0-9a-f]{16}\.(js|mjs|css)$/
/** Versions from the end of 2022 on. */
const BROWSERS = ['chrome108', 'edge108', 'firefox108', 'safari15.4', 'ios15.4']

/** Builds where the sources have changed since the last build. */
export async function buildClients() {
  if (!existsSync(CLIENT)) return
  const sources = hashOfSources()
  if (isBuiltFrom(sources)) return
  await build(sources)
}

function isBuiltFrom(sources) {
  try {
    return JSON.parse(readFileSync(join(DIST, RECORD), 'utf8')).sources === sources
  } catch {
    return false
  }
}

function hashOfSources() {
  const hash = createHash('sha256')
  for (const file of SOURCES.flatMap(filesBelow)) hash.update(file).update(readFileSync(join(ROOT, file)))
  // The compiler's version is part of the result.
  hash.update(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).devDependencies.esbuild)
  for (const file of existsSync(RELEASES) ? readdirSync(RELEASES).sort() : []) hash.update(file)
  return hash.digest('hex')
}

function filesBelow(path) {
  if (/\.\w+$/.test(path)) return [path]
  const entries = readdirSync(join(ROOT, path), { withFileTypes: true })
  return entries.flatMap((entry) => filesBelow(`${path}/${entry.name}`)).sort()
}

async function build(sources) {
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
  files.set('holdfast.d.ts', `${types}\nexport as namespace Holdfast\n`)
  files.set('integrity.json', `${JSON.stringify({ version, files: integrity }, null, 2)}\n`)
  write(files, sources)
}

/** Each file appears whole, and the record last, since two commands may be started at once. */
function write(files, sources) {
  mkdirSync(DIST, { recursive: true })
  if (existsSync(RELEASES))
    for (const name of readdirSync(RELEASES)) files.set(name, readFileSync(join(RELEASES, name)))
  for (const [name, text] of [...files, [RECORD, JSON.stringify({ sources })]]) {
    const half = join(DIST, `.${name}.${process.pid}`)
    writeFileSync(half, text)
    renameSync(half, join(DIST, name))
  }
  for (const name of readdirSync(DIST))
    if (HASHED.test(name) && !files.has(name)) rmSync(join(DIST, name), { force: true })
}

function hashedName(name, text) {
  const [, stem, ending] = /^(.*)\.(\w+)$/.exec(name)
  return `${stem}.${createHash('sha256').update(text).digest('hex').slice(0, 16)}.${ending}`
}

function integrityOf(text) {
  return `sha384-${createHash('sha384').update(text).digest('base64')}`
}

function keepRelease() {
  mkdirSync(RELEASES, { recursive: true })
  // The form's page names its own script and style, so nobody pins those.
  const kept = readdirSync(DIST).filter((name) => HASHED.test(name) && name.startsWith('holdfast.'))
  for (const name of kept) cpSync(join(DIST, name), join(RELEASES, name))
}

/** The element that loads the script of this build, in the guide. */
function writeGuide() {
  const { files } = JSON.parse(readFileSync(join(DIST, 'integrity.json'), 'utf8'))
  const { integrity, immutable } = files['holdfast.js']
  const pinned = `src="https://api.example/js/v1/${immutable}" integrity="${integrity}"`
  const guide = readFileSync(GUIDE, 'utf8')
  const written = guide.replace(/src="[^"]*\/js\/v1\/holdfast\.[0-9a-f]{16}\.js" integrity="[^"]*"/, pinned)
  if (written !== guide) writeFileSync(GUIDE, written)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await buildClients()
  if (process.argv.includes('--release')) keepRelease()
  if (process.argv.includes('--docs')) writeGuide()
}
