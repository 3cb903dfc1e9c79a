import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { LOOPBACK } from '../../src/embedded/ports.ts'

const COMPOSE_FILE = new URL('../../docker-compose.temporal.yml', import.meta.url)

/** What differs from the server's defaults, for clusters; a test holds it to what the embedded server sets. */
const DYNAMIC_CONFIG_FILE = fileURLToPath(new URL('../../deploy/temporal-dynamic-config.yaml', import.meta.url))

/** The databases of Temporal, beside ours: as the server and its tool for tables call them. */
export const DATABASES = {
  temporal: 'temporal',
  visibility: 'temporal_visibility',
} as const

const SERVICES = ['FRONTEND', 'MATCHING', 'HISTORY', 'WORKER'] as const

/** Each service listens on one for calls and on one for the others of its kind. */
export const PORTS = 2 * SERVICES.length

export interface TemporalPlace {
  databaseUrl: string
  /** The first is the one that clients ask; so many as `PORTS`. */
  ports: readonly [number, ...number[]]
}

/**
 * The environment of a server that runs all four services in one process and keeps everything in PostgreSQL: that of
 * `docker-compose.temporal.yml`, on loopback and on other ports. The server makes its configuration of these variables,
 * see `config_template_embedded.yaml` in its source.
 */
export function temporalEnvironment({ databaseUrl, ports }: TemporalPlace): Record<string, string> {
  const { hostname, port, username, password } = new URL(databaseUrl)
  return {
    ...composeEnvironment(),
    POSTGRES_SEEDS: hostname,
    DB_PORT: port,
    POSTGRES_USER: username,
    POSTGRES_PWD: decodeURIComponent(password),
    BIND_ON_IP: LOOPBACK,
    TEMPORAL_BROADCAST_ADDRESS: LOOPBACK,
    DYNAMIC_CONFIG_FILE_PATH: DYNAMIC_CONFIG_FILE,
    // None: several servers on one machine would want the same one.
    FRONTEND_HTTP_PORT: '0',
    ...Object.fromEntries(
      SERVICES.flatMap((name, index) => [
        [`${name}_GRPC_PORT`, String(ports[2 * index])],
        [`${name}_MEMBERSHIP_PORT`, String(ports[2 * index + 1])],
      ]),
    ),
  }
}

function composeEnvironment(): Record<string, string> {
  const { services } = parse(readFileSync(COMPOSE_FILE, 'utf8'), { merge: true }) as {
    services: { temporal: { environment: Record<string, string | number | boolean> } }
  }
  return Object.fromEntries(Object.entries(services.temporal.environment).map(([name, value]) => [name, String(value)]))
}
