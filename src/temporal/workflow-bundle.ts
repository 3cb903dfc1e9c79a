import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, type BundleOptions as SdkBundleOptions, type WorkflowBundle } from '@temporalio/worker'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const ENTRY = 'workflows/index.ts'
/** What is set before anything else is loaded; beside the entry. */
const STACK_DEPTH = 'stack-depth.ts'
/** As in tsconfig.json, as far as the compiler of the SDK knows it. */
const COMPILER_TARGET = 'es2022'

type BundlerConfig = Parameters<NonNullable<SdkBundleOptions['webpackConfigHook']>>[0]

/** The rooms that workflows are made of: `.dependency-cruiser.mjs` lets them import no other. */
const ROOMS = ['workflows', 'domain']

/** What npm was to install, and what it has installed: the SDK, and webpack and swc, which make the bundle. */
const PACKAGES = ['package-lock.json', 'node_modules/.package-lock.json']

/** Where packages keep what they can make again; `npm ci` clears it. */
const CACHE_FOLDER = join(ROOT, 'node_modules/.cache/holdfast/workflows')

export interface BundleOptions {
  /** The folder that has `workflows`, `domain` and the lock file. */
  root?: string
  cacheFolder?: string
  /** Makes the bundle of what an entry imports, with its source map in it. */
  make?: (entry: string) => Promise<WorkflowBundle>
}

/**
 * Turns the workflows and what they import into the one file that workers run. That takes a processor nearly two seconds,
 * so the file is kept under a name that follows from everything that it is made of: it is found again only by the same
 * sources, with the same packages, under the same Node. What cannot be kept is made at every start.
 */
export async function bundleWorkflows({
  root = ROOT,
  cacheFolder = CACHE_FOLDER,
  make = makeBundle,
}: BundleOptions = {}): Promise<WorkflowBundle> {
  const name = `${await keyOf(root)}.js`
  const kept = await readKept(join(cacheFolder, name))
  if (kept !== null) return { code: kept }
  const { code } = await make(join(root, ENTRY))
  // A source may have been saved while it was read: what was made then belongs to neither key.
  if (name === `${await keyOf(root)}.js`) await keep(cacheFolder, name, code).catch(() => undefined)
  return { code }
}

function makeBundle(workflowsPath: string): Promise<WorkflowBundle> {
  const silent = () => undefined
  const logger = { log: silent, trace: silent, debug: silent, info: silent, warn: silent, error: silent }
  return bundleWorkflowCode({
    workflowsPath,
    logger,
    // Loaded once for all runs instead of once for each. That shares nothing between them: no module keeps a state.
    preloadModules: [join(dirname(workflowsPath), STACK_DEPTH), workflowsPath],
    webpackConfigHook: withCompilerTarget,
  })
}

/** The SDK writes classes and spreads out for runtimes of 2017; what Node knows by itself runs faster. */
function withCompilerTarget(config: BundlerConfig): BundlerConfig {
  for (const rule of config.module?.rules ?? []) {
    const use = typeof rule === 'object' && rule !== null ? (rule.use as unknown) : null
    const { options } = (use ?? {}) as { options?: { jsc?: { target?: string } } }
    if (options?.jsc !== undefined) options.jsc.target = COMPILER_TARGET
  }
  return config
}

/** The hash of everything that the bundle follows from; the folder is written into it, for stack traces. */
async function keyOf(root: string): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([root, process.version]))
  const read = (room: string) => readdir(join(root, room), { recursive: true, withFileTypes: true })
  const sources = (await Promise.all(ROOMS.map(read))).flat().filter((entry) => entry.isFile())
  const files = sources.map((entry) => join(entry.parentPath, entry.name))
  // This file as well, since it says how the bundle is made.
  const inputs = [...files.sort(), ...PACKAGES.map((one) => join(root, one)), fileURLToPath(import.meta.url)]
  const contents = await Promise.all(inputs.map((file) => readFile(file).catch(() => null)))
  for (const [index, content] of contents.entries())
    hash.update(JSON.stringify([inputs[index], content?.length ?? null])).update(content ?? '')
  return hash.digest('hex')
}

/** Null where nothing whole is kept: the first line of the file is the hash of the rest, so that a torn one is seen. */
async function readKept(file: string): Promise<string | null> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const lineEnd = text.indexOf('\n')
  const code = text.slice(lineEnd + 1)
  return lineEnd > 0 && text.slice(0, lineEnd) === markOf(code) ? code : null
}

/** Keeps this one and no other. Renaming is atomic, so a second process finds the whole file or none. */
async function keep(folder: string, name: string, code: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const unfinished = join(folder, `${randomUUID()}.unfinished`)
  await writeFile(unfinished, `${markOf(code)}\n${code}`)
  await rename(unfinished, join(folder, name))
  const others = (await readdir(folder)).filter((other) => other.endsWith('.js') && other !== name)
  await Promise.all(others.map((other) => rm(join(folder, other), { force: true })))
}

function markOf(code: string): string {
  return `// ${createHash('sha256').update(code).digest('hex')}`
}
