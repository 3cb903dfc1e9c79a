import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)

export const PROJECT = fileURLToPath(new URL('../..', import.meta.url))
const CONFIGURATION = join(PROJECT, '.dependency-cruiser.mjs')
const DEPCRUISE = join(PROJECT, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruiser.mjs')

/** The folders whose files the rules speak of; those that are not there yet are left out. */
const ROOMS = [
  'domain',
  'workflows',
  'activities',
  'src',
  'clients',
  'demo',
  'examples',
  'stand-ins',
  'test',
  'scripts',
  'bench',
]

export interface ImportEdge {
  from: string
  to: string
  /** True where nothing is loaded at run time. */
  isTypeOnly: boolean
}

export interface ImportGraph {
  files: string[]
  edges: ImportEdge[]
  violations: { rule: string; from: string; to: string }[]
  /** The names of all rules that were asked. */
  rules: string[]
}

interface Report {
  modules: { source: string; dependencies: { resolved: string; dependencyTypes: string[] }[] }[]
  summary: {
    violations: { rule: { name: string }; from: string; to: string }[]
    ruleSetUsed: { forbidden: { name: string }[] }
  }
}

/** What the project's import rules say about the tree below a folder. */
export async function readImportGraph(folder: string): Promise<ImportGraph> {
  const rooms = ROOMS.filter((room) => existsSync(join(folder, room)))
  // Its exit code counts the violations, and they are in the report.
  const { stdout } = await run(
    process.execPath,
    [DEPCRUISE, '--config', CONFIGURATION, '--output-type', 'json', ...rooms],
    { cwd: folder, maxBuffer: 64 * 1024 * 1024 },
  )
  const { modules, summary } = JSON.parse(stdout) as Report
  return {
    files: modules.map(({ source }) => source),
    edges: modules.flatMap(({ source, dependencies }) =>
      dependencies.map(({ resolved, dependencyTypes }) => ({
        from: source,
        to: resolved,
        isTypeOnly: dependencyTypes.some((type) => type === 'type-only' || type === 'type-import'),
      })),
    ),
    violations: summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })),
    rules: summary.ruleSetUsed.forbidden.map(({ name }) => name),
  }
}

/** Everything that is loaded when this file is, itself included. */
export function loadedBy(graph: ImportGraph, file: string): Set<string> {
  const loads = loadsOf(graph)
  const loaded = new Set([file])
  for (const reached of loaded) for (const to of loads.get(reached) ?? []) loaded.add(to)
  return loaded
}

const kept = new WeakMap<ImportGraph, Map<string, string[]>>()

/** What each file loads by itself. */
function loadsOf(graph: ImportGraph): Map<string, string[]> {
  const known = kept.get(graph)
  if (known !== undefined) return known
  const loads = new Map<string, string[]>()
  for (const { from, to, isTypeOnly } of graph.edges) {
    if (!isTypeOnly) loads.set(from, [...(loads.get(from) ?? []), to])
  }
  kept.set(graph, loads)
  return loads
}

export interface PlantedTree {
  folder: string
  remove(): void
}

/** Writes a small tree of files with the project's own packages, in which rules can be broken. */
export function plantTree(files: Record<string, string>): PlantedTree {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-planted-'))
  cpSync(join(PROJECT, 'package.json'), join(folder, 'package.json'))
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'), 'dir')
  for (const [path, code] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), code)
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
