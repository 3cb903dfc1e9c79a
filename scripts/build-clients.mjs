/**
 * Builds what browsers load into the folder `dist` of each client. `scripts/prepare.mjs` runs it before every command, so it
 * only compares the hash of the sources where nothing has changed. Plain JavaScript, for whatever Node the machine has.
 *
 * `--release` keeps the hashed files of the library for browsers for good; `--docs` writes their hashes into the guide.
 */
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { browser } from './clients/browser.mjs'
import { dashboard } from './clients/dashboard.mjs'
import { ROOT, writeFiles } from './clients/files.mjs'

const DIST = join(browser.folder, 'dist')
const RELEASES = join(browser.folder, 'releases')
const GUIDE = join(ROOT, 'docs/card-form.md')

/** Where the record of a build says what it was built from. */
const RECORD = 'sources.json'

/** Builds each client whose sources have changed since its last build. */
export async function buildClients() {
  await Promise.all([browser, dashboard].map(buildClient))
}

async function buildClient({ folder, sources, kept, build }) {
  if (!existsSync(folder)) return
  const dist = join(folder, 'dist')
  const record = JSON.stringify({ sources: hashOf(sources, kept()) })
  if (isBuiltFrom(dist, record)) return
  // A sign of life: it takes some seconds, and everything waits for it.
  console.error(`Building ${folder.slice(ROOT.length).replace(/^\//, '')} for browsers ...`)
  const files = await build()
  for (const [name, text] of kept()) files.set(name, text)
  writeFiles(dist, files.set(RECORD, record))
}

function isBuiltFrom(dist, record) {
  try {
    return readFileSync(join(dist, RECORD), 'utf8') === record
  } catch {
    return false
  }
}

function hashOf(sources, kept) {
  const hash = createHash('sha256')
  for (const file of sources.flatMap(filesBelow)) hash.update(file).update(readFileSync(join(ROOT, file)))
  // The compiler's version is part of the result.
  hash.update(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).devDependencies.esbuild)
  for (const name of kept.map(([name]) => name).sort()) hash.update(name)
  return hash.digest('hex')
}

function filesBelow(path) {
  if (/\.\w+$/.test(path)) return [path]
  const entries = readdirSync(join(ROOT, path), { withFileTypes: true })
  return entries.flatMap((entry) => filesBelow(`${path}/${entry.name}`)).sort()
}

function keepRelease() {
  mkdirSync(RELEASES, { recursive: true })
  // The form's page names its own script and style, so nobody pins those.
  const kept = readdirSync(DIST).filter((name) => /^holdfast\.[0-9a-f]{16}\.\w+$/.test(name))
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
