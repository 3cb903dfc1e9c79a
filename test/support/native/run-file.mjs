/**
 * Runs a test file with Jest's own runner, Circus, but has Node load its modules. Jest would load every module anew for
 * every file, in a context of its own: two seconds a file for the ORM and the Temporal SDK alone. Here a worker process
 * loads each module once, as production does, and Node strips the types.
 *
 * So files that run in one process share what a module keeps to itself, which our modules do not do, and the globals of
 * the process, of which the usual ones are put back below. Mocks of modules and Jest's coverage would need Jest's own loading.
 */
import { createRequire, registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import circus from 'jest-circus/runner'
import { setGlobals, TIMEOUT } from './globals.mjs'
import { timeZoneOf } from './time-zone.ts'

const require = createRequire(import.meta.url)
const GLOBALS = new URL('./globals.mjs', import.meta.url).href

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: GLOBALS, shortCircuit: true } : next(specifier, context),
})

/** Jest's option `testRunner`. Not async, or every stack trace of a test would end in this file. */
export default function runFile(globalConfig, config, { global: { console } }, _runtime, path, report) {
  const restore = keepProcess()
  // One that was chosen by hand is the zone of every file. Node notices the change at once.
  process.env.TZ ||= timeZoneOf(config.rootDir, path)
  globalThis.console = console
  process.exit = (code) => {
    throw new Error(`A test called process.exit(${code}); other files have their tests in this process.`)
  }
  return circus.default(globalConfig, config, { global: globalThis }, nativeRuntime, path, report).finally(restore)
}

/** Remembers what a file may change about its process, and gives a function that puts it back. */
function keepProcess() {
  const { console } = globalThis
  const { exit, exitCode } = process
  const env = { ...process.env }
  return () => {
    globalThis.console = console
    delete globalThis[TIMEOUT]
    Object.assign(process, { exit, exitCode })
    for (const name of Object.keys(process.env)) if (!Object.hasOwn(env, name)) delete process.env[name]
    Object.assign(process.env, env)
  }
}

const filesRun = new Set()

/** The part of Jest's runtime that Circus uses. */
const nativeRuntime = {
  /** Circus asks for its tests and hooks this way. It keeps them in the module, so that each file needs a new one. */
  requireInternalModule(path) {
    delete globalThis[Symbol.for('EVENT_HANDLERS')]
    delete require.cache[path]
    return require(path)
  },
  requireModule: require,
  setGlobalsForRuntime: setGlobals,
  unstable_shouldLoadAsEsm: () => true,
  unstable_importModule(path) {
    // It would be the file, and the code it tests, as they were the first time.
    if (filesRun.has(path)) throw new Error('This process has run the file already: watch mode needs two test files.')
    filesRun.add(path)
    return import(pathToFileURL(path).href)
  },
  enterTestCode() {},
  leaveTestCode() {},
}
