/**
 * Makes the project runnable before `npm start` and `npm test`: checks Node, and installs the dependencies when they
 * are missing or are not those of package-lock.json. Plain JavaScript without dependencies, because it runs when
 * nothing is installed yet, under whatever Node (20 or later) the machine has.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const OLDEST_NODE = 20
const PROGRESS_EVERY_MS = 5_000

const root = new URL('../', import.meta.url)
const path = (name) => fileURLToPath(new URL(name, root))
const lockFile = path('package-lock.json')
const installedMark = path('node_modules/.holdfast-installed')
const packagedNode = path('node_modules/.bin/node')

function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}

/** What the installed packages must match: the lock file and the platform their binaries are for. */
function wantedMark() {
  const lock = createHash('sha256').update(readFileSync(lockFile)).digest('hex')
  return `${lock} ${process.platform}-${process.arch}`
}

function isInstalled() {
  return existsSync(packagedNode) && existsSync(installedMark) && readFileSync(installedMark, 'utf8') === wantedMark()
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

if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
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
  if (!existsSync(packagedNode)) {
    fail(
      'Node 24 is missing from node_modules/.bin after npm ci: npm seems to be set to skip install scripts ' +
        '(ignore-scripts). Allow them for this project, or use Node 24 and run "npm ci" with scripts.',
    )
  }
  writeFileSync(installedMark, wantedMark())
  console.log(`Installed in ${seconds} s`)
}
