import { existsSync, readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { z } from 'zod'

/** Where the servers of a running `npm start` are, by the names of the settings that would give them, and how it uses them. */
const schema = z.object({
  DATABASE_URL: z.string(),
  TEMPORAL_ADDRESS: z.string(),
  PAYLOAD_ENCRYPTION: z.enum(['on', 'off']),
  TEMPORAL_UI_URL: z.string().optional(),
})

function serversFile(dataFolder: string): string {
  return join(dataFolder, 'servers.json')
}

/** Tells the commands of this machine where the servers are; only their owner may read it, since it holds a password. */
export async function writeServersFile(
  dataFolder: string,
  servers: {
    databaseUrl: string
    temporalAddress: string
    encryptsPayloads: boolean
    temporalUiUrl?: string | undefined
  },
): Promise<void> {
  const settings: z.infer<typeof schema> = {
    DATABASE_URL: servers.databaseUrl,
    TEMPORAL_ADDRESS: servers.temporalAddress,
    PAYLOAD_ENCRYPTION: servers.encryptsPayloads ? 'on' : 'off',
    TEMPORAL_UI_URL: servers.temporalUiUrl,
  }
  const content = JSON.stringify(settings, null, 2)
  await writeFile(serversFile(dataFolder), `${content}\n`, { mode: 0o600 })
}

export function removeServersFile(dataFolder: string): Promise<void> {
  return rm(serversFile(dataFolder), { force: true })
}

/** The environment with the servers of the `npm start` that runs on the data folder; what is given wins. */
export function withRunningServers(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const file = serversFile(resolve(environment.DATA_DIR || '.data'))
  if (!existsSync(file)) return environment
  const servers = schema.safeParse(JSON.parse(readFileSync(file, 'utf8')))
  if (!servers.success) return environment
  const { DATABASE_URL, ...others } = servers.data
  return { ...others, ...(environment.DATABASE_URL_FILE ? {} : { DATABASE_URL }), ...environment }
}
