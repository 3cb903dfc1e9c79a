import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, type BundleOptions as SdkBundleOptions, type WorkflowBundle } from '@temporalio/worker'
import { FAILURE_CONVERTER_PATH } from './data-converter.ts'
import { hashSources } from './source-hash.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const ENTRY = 'workflows/index.ts'
/** Loaded before anything else; lies beside the entry. */
const STACK_DEPTH = 'stack-depth.ts'
/** Beside it, too. */
const TRACE_CONTEXT = 'trace-context.ts'
/** As in tsconfig.json, as far as the SDK's compiler supports it. */
const COMPILER_TARGET = 'es2022'

type BundlerConfig = Parameters<NonNullable<SdkBundleOptions['webpackConfigHook']>>[0]

/** The folders that workflows consist of; `.dependency-cruiser.mjs` forbids all others. */
const ROOMS = ['workflows', 'domain']

/** The wanted and the installed packages: the SDK, and webpack and swc, which make the bundle. */
const PACKAGES = ['package-lock.json', 'node_modules/.package-lock.json']

/** The usual place for caches of packages; `npm ci` clears it. */
const CACHE_FOLDER = join(ROOT, 'node_modules/.cache/holdfast/workflows')

export interface BundleOptions {
  /** The folder with `workflows`, `domain` and the lock file. */
  root?: string
  cacheFolder?: string
  /** For workers that encrypt payloads: the texts of failures become payloads as well. */
  encodesFailures?: boolean
  /** For workers that send traces: activities get the trace of the command that they are part of. */
  traces?: boolean
  /** Makes the bundle of an entry, with its source map inside. */
  make?: (entry: string, variant: Variant) => Promise<WorkflowBundle>
}

type Variant = Required<Pick<BundleOptions, 'encodesFailures' | 'traces'>>

/**
 * Bundles the workflows and their imports into one file for the workers. This takes nearly two seconds of processor time,
 * so the file is cached under a hash of its sources, its packages and the Node version. Where it cannot be cached, it is
 * made at every start.
 */
export async function bundleWorkflows({
  root = ROOT,
  cacheFolder = CACHE_FOLDER,
  encodesFailures = false,
  traces = false,
  make = (entry, variant) => makeBundle(entry, variant),
}: BundleOptions = {}): Promise<WorkflowBundle> {
  const key = await keyOf(root)
  const name = `${key}${encodesFailures ? '-encoding' : ''}${traces ? '-tracing' : ''}.js`
  const kept = await readKept(join(cacheFolder, name))
  if (kept !== null) return { code: kept }
  const { code } = await make(join(root, ENTRY), { encodesFailures, traces })
  // If a source was saved meanwhile, the bundle belongs to neither key and is not cached.
  if (key === (await keyOf(root))) await keep(cacheFolder, { key, name }, code).catch(() => undefined)
  return { code }
}

/** @param folder where the modules of ours lie that go around workflows. */
export function makeBundle(
  workflowsPath: string,
  { encodesFailures, traces }: Variant,
  folder = dirname(workflowsPath),
): Promise<WorkflowBundle> {
  const silent = () => undefined
  const logger = { log: silent, trace: silent, debug: silent, info: silent, warn: silent, error: silent }
  return bundleWorkflowCode({
    workflowsPath,
    logger,
    // Loaded once for all runs instead of once for each. They share no state, since no module keeps any.
    preloadModules: [join(folder, STACK_DEPTH), workflowsPath],
    ...(traces && { workflowInterceptorModules: [join(folder, TRACE_CONTEXT)] }),
    ...(encodesFailures && { failureConverterPath: FAILURE_CONVERTER_PATH }),
    webpackConfigHook: withCompilerTarget,
  })
}

/** The SDK compiles classes and spreads for runtimes of 2017; Node's native ones run faster. */
function withCompilerTarget(config: BundlerConfig): BundlerConfig {
  for (const rule of config.module?.rules ?? []) {
    const use = typeof rule === 'object' && rule !== null ? (rule.use as unknown) : null
    const { options } = (use ?? {}) as { options?: { jsc?: { target?: string } } }
    if (options?.jsc !== undefined) options.jsc.target = COMPILER_TARGET
  }
  return config
}

/** The hash of all inputs of the bundle, with the folder, which the bundle contains for stack traces. */
async function keyOf(root: string): Promise<string> {
  // Of this file as well, which defines how the bundle is made.
  const ours = await hashSources('/', [], [fileURLToPath(import.meta.url), FAILURE_CONVERTER_PATH])
  const inputs = [root, process.version, await hashSources(root, ROOMS, PACKAGES), ours]
  return createHash('sha256').update(JSON.stringify(inputs)).digest('hex')
}

/** Null without a whole file: its first line is the hash of the rest, which reveals a torn file. */
async function readKept(file: string): Promise<string | null> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const lineEnd = text.indexOf('\n')
  const code = text.slice(lineEnd + 1)
  return lineEnd > 0 && text.slice(0, lineEnd) === markOf(code) ? code : null
}

/** Keeps only files of these sources. Renaming is atomic, so a second process finds the whole file or none. */
async function keep(folder: string, { key, name }: { key: string; name: string }, code: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const unfinished = join(folder, `${randomUUID()}.unfinished`)
  await writeFile(unfinished, `${markOf(code)}\n${code}`)
  await rename(unfinished, join(folder, name))
  const others = (await readdir(folder)).filter((other) => other.endsWith('.js') && !other.startsWith(key))
  await Promise.all(others.map((other) => rm(join(folder, other), { force: true })))
}

function markOf(code: string): string {
  return `// ${createHash('sha256').update(code).digest('hex')}`
}
