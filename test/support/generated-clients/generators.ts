import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { whyNoMaven } from '../../../clients/test/maven.ts'
import { npmTools } from '../../../scripts/npm-tools.ts'
import { pythonWith } from '../../../scripts/python-tools.ts'
import { whyNoGo, whyNoPython } from '../toolchains.ts'
import { withoutCycles } from './without-cycles.ts'

/** What ogen is written for. */
const GO_MINOR = 26
const PYTHON_MINOR = 11
/** Downloads of the first time included. */
const TIMEOUT_MS = 15 * 60_000

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** That of the project, which takes a third of the time of the generators' own. */
const COMPILER = here('../../../node_modules/typescript/bin/tsc')

export interface Generator {
  name: string
  /** Why it cannot run here; null if it can. */
  problem(): string | null
  /**
   * Makes a client of a document, compiles it with the program of this folder, and runs that.
   *
   * @param folder an empty one.
   * @param environment where the service is, and the keys of a project.
   * @returns what the program has printed.
   */
  pay(folder: string, document: object, environment: Record<string, string>): Promise<string>
}

export const GENERATORS: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    problem: () => null,
    pay: typescriptClient('openapi-typescript', 'openapi-typescript/bin/cli.js', ['openapi.json', '-o', 'made.ts']),
  },
  {
    name: '@hey-api/openapi-ts',
    problem: () => null,
    pay: typescriptClient('hey-api', '@hey-api/openapi-ts/bin/run.js', ['-i', 'openapi.json', '-o', 'made']),
  },
  {
    name: 'oapi-codegen',
    problem: () => whyNoGo(GO_MINOR),
    async pay(folder, document, environment) {
      const go = await goProgram(folder, 'oapi', document)
      await go('tool', 'oapi-codegen', '-generate', 'types,client', '-package', 'main', '-o', 'made.go', 'openapi.json')
      return compiled(go, folder, environment)
    },
  },
  {
    name: 'ogen',
    problem: () => whyNoGo(GO_MINOR),
    async pay(folder, document, environment) {
      const go = await goProgram(folder, 'ogen', withoutCycles(document))
      await go('tool', 'ogen', '--config', '../ogen.yml', '--target', '.', '--package', 'main', 'openapi.json')
      return compiled(go, folder, environment)
    },
  },
  {
    name: 'openapi-generator',
    problem: whyNoMaven,
    async pay(folder, document, environment) {
      await cp(here('java'), folder, { recursive: true })
      await writeFile(join(folder, 'openapi.json'), JSON.stringify(document))
      return run('mvn', ['-q', '-B', '-Dstyle.color=never', 'compile', 'exec:java'], folder, {
        ...environment,
        MAVEN_OPTS: QUICK_JAVA,
      })
    },
  },
  {
    name: 'openapi-python-client',
    problem: () => whyNoPython(PYTHON_MINOR),
    async pay(folder, document, environment) {
      const python = await pythonWith('openapi-python-client', here('python/requirements.txt'))
      if (python === null) throw new Error(`There is no Python 3.${PYTHON_MINOR}.`)
      await cp(here('python/main.py'), join(folder, 'main.py'))
      await writeFile(join(folder, 'openapi.json'), JSON.stringify(document))
      await writeFile(join(folder, 'config.yml'), 'post_hooks: []\n')
      const files = ['--path', 'openapi.json', '--output-path', 'holdfast_client', '--config', 'config.yml']
      const command = ['-m', 'openapi_python_client', 'generate', ...files, '--meta', 'none', '--fail-on-warning']
      await run(python, command, folder)
      return run(python, ['main.py'], folder, environment)
    },
  },
]

/** For a Java that runs once and not for long. */
const QUICK_JAVA = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC'

/** @throws Error with the end of what the command has said, where it fails. */
async function run(command: string, args: readonly string[], cwd: string, environment = {}): Promise<string> {
  const settings = { cwd, timeout: TIMEOUT_MS, maxBuffer: 64 * 1024 * 1024, env: { ...process.env, ...environment } }
  const { stdout } = await promisify(execFile)(command, args, settings).catch((error) => {
    throw new Error(`${command} ${args.join(' ')}: ${`${error.stdout}${error.stderr}`.slice(-5_000)}`, { cause: error })
  })
  return stdout
}

/** A program of one folder of the Go module, without its client. */
async function goProgram(folder: string, name: string, document: object) {
  await cp(here('go'), folder, { recursive: true })
  await writeFile(join(folder, name, 'openapi.json'), JSON.stringify(document))
  return (...args: string[]) => run('go', args, join(folder, name))
}

/** What is compiled once is found again in the folder of Go, as long as the document stays as it is. */
async function compiled(go: (...args: string[]) => Promise<string>, folder: string, environment: object) {
  const program = join(folder, 'program')
  // As it runs for a second, it is not worth being made fast, or to be looked at by a debugger.
  await go('build', '-trimpath', '-gcflags=-N -l', '-ldflags=-s -w', '-o', program, '.')
  return run(program, [], folder, environment)
}

function typescriptClient(name: string, command: string, args: readonly string[]): Generator['pay'] {
  return async (folder, document, environment) => {
    const tools = join(await npmTools('generated-clients', new URL('typescript/', import.meta.url)), 'node_modules')
    // The compiler looks for what the program imports above the program.
    const program = join(tools, '..', 'programs', folder.split('/').at(-1) ?? name)
    await mkdir(program, { recursive: true })
    await cp(here(`typescript/${name}.txt`), join(program, 'main.ts'))
    await writeFile(join(program, 'openapi.json'), JSON.stringify(document))
    await run(process.execPath, [join(tools, command), ...args], program)
    const made = (await readdir(program, { recursive: true })).filter((path) => path.endsWith('.ts'))
    const options = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--target',
      'es2022',
      '--module',
      'esnext',
      '--moduleResolution',
      'bundler',
    ]
    const compile = [...options, '--allowImportingTsExtensions', '--lib', 'es2022,dom,dom.iterable', '--types', 'node']
    await run(process.execPath, [COMPILER, ...compile, ...made], program)
    const outfile = join(folder, 'main.mjs')
    await build({ entryPoints: [join(program, 'main.ts')], bundle: true, platform: 'node', format: 'esm', outfile })
    return run(process.execPath, [outfile], folder, environment)
  }
}
