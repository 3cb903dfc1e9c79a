/**
 * `npm run sample-shop`: fills the sandbox of the running `npm start` with two months of a shop, for whoever wants to see the
 * dashboard with something in it. The pictures of the documentation are of the same shop.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { withRunningServers } from '../src/embedded/servers-file.ts'
import { createProgram, runProgram, TERMINAL } from '../src/processes/command-line.ts'
import { runProcess, say } from '../src/processes/run-process.ts'
import type { Shutdown } from '../src/shutdown.ts'
import { StartupError } from '../src/startup-error.ts'
import { openSandbox, type Sandbox } from './sample-shop/sandbox.ts'
import { fillShop, isFilled } from './sample-shop/shop.ts'

const program = createProgram('sample-shop', TERMINAL)
  .description(
    'Fills the sandbox of the running npm start with two months of a shop, once. It takes about two minutes.',
  )
  .action(() => runProcess(fill, { isTask: true }))
process.exitCode = await runProgram(program, process.argv.slice(2), TERMINAL)

async function fill(shutdown: Shutdown): Promise<void> {
  const sandbox = await openRunningSandbox()
  shutdown.add({ name: 'The database', stop: sandbox.close })
  await refuseOthers(sandbox)
  say('Filling the sandbox with two months of a shop')
  await fillShop(sandbox, { say, signal: shutdown.signal })
  shutdown.request(`Filled: ${sandbox.url}/dashboard/ shows it`, 0)
}

/** That of this machine and no other: databases that the environment names are left alone. */
async function openRunningSandbox(): Promise<Sandbox> {
  const dataFolder = resolve(process.env.DATA_DIR || '.data')
  const file = join(dataFolder, 'sandbox.json')
  const { DATABASE_URL } = withRunningServers({ DATA_DIR: dataFolder })
  if (!existsSync(file) || DATABASE_URL === undefined)
    throw new StartupError(
      `No sandbox runs on ${dataFolder}. Run "npm start" in another terminal, and then this again.`,
    )
  return openSandbox(JSON.parse(readFileSync(file, 'utf8')), DATABASE_URL)
}

/** Rows are moved to the past behind the audit log's back: never where there is anything but a sandbox. */
async function refuseOthers(sandbox: Sandbox): Promise<void> {
  const [{ live }] = await sandbox.sql('select exists (select from invoice where not sandbox) as live')
  if (live || !sandbox.projectId.startsWith('test-'))
    throw new StartupError('There are live payments in this database. Only a sandbox by itself is filled.')
  if (await isFilled(sandbox))
    throw new StartupError(
      'The shop is in this sandbox already, or a part of it. For a new one, run "npm start" with another DATA_DIR.',
    )
}
