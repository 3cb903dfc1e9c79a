/** `npm run mutate -- ROOM`: changes the code of a room in one place after another, and tells which changes its tests see. */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createProgram, numberFrom, runProgram, TERMINAL, UsageError } from '../src/processes/command-line.ts'
import { isTried, type Mutant } from './mutate/plugins.ts'
import { npmTools } from './npm-tools.ts'

const ABOUT = `Changes the code of a room, or of a file, in one place after another, and runs the tests of the room with each \
change. A change that no test sees is a survivor: a test is missing, or the change means nothing. Changes of texts are left \
out. Works in a copy of the tree.`

const ROOT = fileURLToPath(new URL('..', import.meta.url))
process.chdir(ROOT)

interface Options {
  sample: number
  seed: string
  tests?: string[]
}

const program = createProgram('mutate', TERMINAL)
  .description(ABOUT)
  .argument('<path>', 'a folder or file of the code, such as domain or src/http/lists')
  .option('--sample <number>', 'how many changes, chosen by chance', numberFrom(1), 40)
  .option('--seed <text>', 'another one chooses other changes', '1')
  .option('--tests <path...>', 'files and folders of tests; otherwise all of the room')
  .action(mutate)
process.exitCode = await runProgram(program, process.argv.slice(2), TERMINAL)

async function mutate(path: string, { sample, seed, tests = [testsOf(path)] }: Options): Promise<void> {
  for (const one of [path, ...tests]) if (!existsSync(one)) throw new UsageError(`There is no ${one}.`)
  const mutated = statSync(path).isDirectory() ? `${path.replace(/\/$/, '')}/**/*.{ts,tsx}` : path
  Object.assign(process.env, { MUTATE_SAMPLE: String(sample), MUTATE_SEED: seed })
  const tools = await npmTools('mutate', new URL('mutate/tools/', import.meta.url))
  const core = pathToFileURL(join(tools, 'node_modules/@stryker-mutator/core/dist/src/')).href
  const { Stryker } = await import(`${core}index.js`)
  const { ConcurrencyTokenProvider } = await import(`${core}concurrent/concurrency-token-provider.js`)
  // Once the sample is chosen, Stryker would test two changes at a time, and the second one take the place of the first.
  ConcurrencyTokenProvider.prototype.freeCheckers = ConcurrencyTokenProvider.prototype.dispose
  const results: Mutant[] = await new Stryker({
    mutate: [mutated, '!**/*.d.ts', '!**/generated/**', '!**/test/**'],
    mutator: { excludedMutations: ['StringLiteral'] },
    plugins: [fileURLToPath(new URL('mutate/plugins.ts', import.meta.url))],
    checkers: ['sample'],
    reporters: ['results'],
    testRunner: 'command',
    commandRunner: { command: ['node scripts/mutate/test-mutant.ts', `'${mutated}'`, ...tests].join(' ') },
    // The tests of one change take all cores by themselves.
    concurrency: 1,
    // A change can make a loop endless. The servers of the tests take some seconds to start.
    timeoutMS: 60_000,
    // The compiler, version 7, has no parser for Stryker; Node strips the types.
    tsconfigFile: 'none',
    disableTypeChecks: false,
    tempDirName: '.test-data/mutate',
    ignorePatterns: ['.data', 'bench/results', 'site'],
    cleanTempDir: 'always',
    logLevel: 'warn',
  }).runMutationTest()
  tell(results.filter(isTried))
}

/** The tests of a room are in the folder of its name, those of a client library in the library. */
function testsOf(path: string): string {
  const [folder = '', inner = ''] = path.split('/')
  if (folder === 'src') return `test/${inner.replace(/\.ts$/, '.test.ts')}`
  return folder === 'clients' ? `clients/${inner}/test` : `test/${folder}`
}

function tell(mutants: Mutant[]): void {
  const seen = ({ status }: Mutant) => status !== 'Survived'
  const files = Map.groupBy(mutants, ({ fileName }) => fileName.replace(ROOT, ''))
  const line = (name: string, of: Mutant[]) =>
    TERMINAL.say(`${String(of.filter(seen).length).padStart(5)} of ${String(of.length).padEnd(4)} ${name}`)
  TERMINAL.say('Seen:')
  for (const [name, of] of [...files].toSorted()) line(name, of)
  line('all', mutants)
}
