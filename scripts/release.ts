/** `npm run release -- VERSION`: makes a release of what is committed, on this machine; pushes nothing. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createProgram, runProgram, TERMINAL } from '../src/processes/command-line.ts'
import { StartupError } from '../src/startup-error.ts'
import { makeRelease } from './release/make-release.ts'

const ABOUT = `Makes a release: proves the upgrade from the release before, writes the version and the changelog, keeps the histories \
and the code of this release for the tests of the next one, commits and tags. Nothing is pushed or published.`

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const program = createProgram('release', TERMINAL)
  .description(ABOUT)
  .argument('<version>', 'such as 0.2.0')
  .option('--dry-run', 'shows what would be done', false)
  .action((version: string, { dryRun }: { dryRun: boolean }) => {
    const date = new Date().toISOString().slice(0, 10)
    makeRelease({ root: ROOT, version, date, dryRun, say: TERMINAL.say, run })
  })
process.exitCode = await runProgram(program, process.argv.slice(2), TERMINAL)

function run(command: string, ...args: string[]): void {
  const { status } = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit' })
  if (status !== 0)
    throw new StartupError(
      `${command} ${args.join(' ')} has failed. Nothing is committed; git reset --hard && git clean -d --force takes back what was written.`,
    )
}
