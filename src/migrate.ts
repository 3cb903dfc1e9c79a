/**
 * `npm run migrate`: brings the database up to date, and where TEMPORAL_ADDRESS is given makes the namespaces and
 * search attributes that Temporal lacks. Run it before a new version of the API and the workers.
 */
import { Connection } from '@temporalio/client'
import { readConfigWith, type TemporalAccess } from './config.ts'
import { describeMigrated, migrateDatabase } from './database/open-database.ts'
import { runWithoutOptions } from './processes/command-line.ts'
import { temporalIsAbsent } from './processes/core.ts'
import { say } from './processes/run-process.ts'
import { StartupError } from './startup-error.ts'
import { provisionTemporal } from './temporal/provision.ts'

const ABOUT = `Brings the database of DATABASE_URL up to date, and where TEMPORAL_ADDRESS is given makes the namespaces and search \
attributes that Temporal lacks. DATABASE_URL is that of the owner of the tables.`

process.exitCode = await runWithoutOptions({ name: 'migrate', about: ABOUT, run })

async function run(): Promise<void> {
  const { databaseUrl, temporalAddress, temporalAccess } = readConfigWith({ servers: ['databaseUrl'], keys: false })
  say(describeMigrated(await migrateDatabase(databaseUrl)))
  if (temporalAddress === undefined) {
    say('TEMPORAL_ADDRESS is not given, so Temporal was left alone')
    return
  }
  await prepareTemporal(temporalAddress, temporalAccess).catch(databaseIsDone)
}

async function prepareTemporal(address: string, access: TemporalAccess): Promise<void> {
  const { tls = null, apiKey } = access
  const namespaces = Object.values(access.namespaces)
  const connecting = Connection.connect({ address, tls, ...(apiKey !== undefined && { apiKey }) })
  const connection = await connecting.catch(temporalIsAbsent(address))
  try {
    await provisionTemporal(connection, { namespaces })
    say(`Temporal has the namespaces ${namespaces.join(' and ')} and their search attributes`)
  } finally {
    await connection.close()
  }
}

function databaseIsDone(error: Error): never {
  if (!(error instanceof StartupError)) throw error
  throw new StartupError(`${error.message}\nThe database is done: run npm run migrate again for Temporal.`, {
    cause: error,
  })
}
