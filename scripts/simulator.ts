/**
 * `npm run simulator`: the simulator as a server of its own on this machine, over the books of the database that
 * DATABASE_URL names, or that a running `npm start` has. Accounts whose setting `base_url` names it are served here.
 */
import { parseArgs } from 'node:util'
import { readConfigWith } from '../src/config.ts'
import { StartupError } from '../src/embedded/startup-error.ts'
import { preparedOn } from '../src/gateways/simulator/prepared.ts'
import { startSimulatorServer } from '../src/gateways/simulator/server.ts'
import { openDatabase } from '../src/processes/open-database.ts'
import { tablesMayBeOutdated } from '../src/processes/outdated-tables.ts'
import { runProcess, say } from '../src/processes/run-process.ts'
import { withRunningServers } from '../src/processes/servers-file.ts'

/** Beside the API's usual 3000. */
const DEFAULT_PORT = '3200'

const PORT_MAX = 65_535

await runProcess(async (shutdown) => {
  const port = readPort()
  const { databaseUrl } = readConfigWith({ servers: ['databaseUrl'], keys: false }, withRunningServers(process.env))
  const orm = await openDatabase(databaseUrl)
  shutdown.add({ name: 'The connection to PostgreSQL', stop: () => orm.close(true) })
  const pool = await orm.driver.getConnection().getNativeClient()
  await pool.query('select copies from simulator.notice limit 0').catch(tablesMayBeOutdated)
  const server = await startSimulatorServer({
    execute: preparedOn(pool),
    port,
  }).catch(portIsTaken(port))
  shutdown.add({ name: 'The simulator', stop: () => server.close() })
  say(`The simulator listens on ${server.url}. Stop it with Ctrl-C.`)
})

function readPort(): number {
  const port = argumentsGiven().port
  if (!/^\d{1,5}$/.test(port) || Number(port) > PORT_MAX) {
    throw new StartupError(`--port is a port number from 0 to ${PORT_MAX}.`)
  }
  return Number(port)
}

function argumentsGiven(): { port: string } {
  try {
    return parseArgs({ options: { port: { type: 'string', default: DEFAULT_PORT } } }).values
  } catch (error) {
    throw new StartupError(`${(error as Error).message} There is --port alone.`, { cause: error })
  }
}

function portIsTaken(port: number): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    if (error.code !== 'EADDRINUSE') throw error
    throw new StartupError(`Port ${port} is taken by another program; give a free one with --port.`, { cause: error })
  }
}
