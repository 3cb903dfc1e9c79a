import { type Config, ConfigurationError, type Needs, readConfigWith } from '../config.ts'
import { withRunningServers } from '../embedded/servers-file.ts'

/** A command is started in another terminal than the service, where its settings are forgotten most easily. */
const OTHER_WAY = 'Beside a running npm start with another DATA_DIR, give that DATA_DIR instead.'

/**
 * The settings of a command, with the servers of the `npm start` that runs on the data folder where none are given.
 *
 * @throws ConfigurationError listing what is wrong or missing.
 */
export function readAdminConfig<Server extends 'databaseUrl' | 'temporalAddress'>(
  needs: Needs<Server>,
): Config & Record<Server, string> {
  try {
    return readConfigWith(needs, withRunningServers(process.env))
  } catch (error) {
    const isWithoutServers = error instanceof ConfigurationError && error.message.includes('DATABASE_URL is missing')
    throw isWithoutServers ? new ConfigurationError(`${error.message}\n${OTHER_WAY}`) : error
  }
}
