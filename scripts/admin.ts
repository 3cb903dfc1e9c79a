/** `npm run admin -- <command>`: what an operator does on servers that are not embedded. */
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { systemClock } from '../src/clock.ts'
import { readConfigWith } from '../src/config.ts'
import { StartupError } from '../src/embedded/startup-error.ts'
import { createProject } from '../src/persistence/queries/create-project.ts'
import { openDatabase } from '../src/processes/core.ts'
import { readKeys } from '../src/processes/keys.ts'
import { runScript } from '../src/processes/run-script.ts'
import { createVault } from '../src/vault/vault.ts'

const HELP = `Usage: npm run admin -- projects create NAME

Makes a project with a secret key of its sandbox. The key is shown once and cannot be read again.

Needs DATABASE_URL, and the keys of the service in the environment or in DATA_DIR/keys.json.`

await runScript(async (say) => {
  const { positionals, help } = parseCommandLine()
  const [subject, verb, name, ...rest] = positionals
  if (help) {
    say(HELP)
    return
  }
  if (subject !== 'projects' || verb !== 'create' || !name?.trim() || rest.length > 0) throw new StartupError(HELP)
  const config = readConfigWith({ servers: ['databaseUrl'], keys: true })
  const vault = createVault(await readKeys(config))
  const orm = await openDatabase(config.databaseUrl)
  try {
    const { projectId, secretKey } = await createProject(orm.em.fork(), {
      name: name.trim(),
      sandbox: true,
      randomBytes,
      hashSecret: vault.hashSecret,
      now: systemClock.now(),
    })
    say(`project id  test-${projectId}\nsecret key  ${secretKey}`)
  } finally {
    await orm.close(true)
  }
})

function parseCommandLine(): { positionals: string[]; help: boolean } {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { help: { type: 'boolean', short: 'h', default: false } },
    })
    return { positionals, help: values.help }
  } catch (error) {
    throw new StartupError(`${(error as Error).message}\n\n${HELP}`, { cause: error })
  }
}
