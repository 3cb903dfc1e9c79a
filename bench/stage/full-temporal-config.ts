import { DYNAMIC_CONFIG } from '../../src/embedded/temporal-server.ts'

/** As in the configuration for development that Temporal gives with its source, and enough for two cores. */
const HISTORY_SHARDS = 4

/** Of each of the four services and either store; with the pools of ours it stays below the 200 that PostgreSQL allows. */
const CONNECTIONS = 20
const VISIBILITY_CONNECTIONS = 4

/** The databases of Temporal, beside ours. */
export const DATABASES = {
  temporal: 'temporal',
  visibility: 'temporal_visibility',
} as const

const SERVICES = ['frontend', 'matching', 'history', 'worker'] as const

/** Each service listens on one for calls and on one for the others of its kind. */
export const PORTS = 2 * SERVICES.length

export interface FullTemporalConfigOptions {
  databaseUrl: string
  /** The first is the one that clients ask; so many as `PORTS`. */
  ports: readonly [number, ...number[]]
  dynamicConfigFile: string
}

/**
 * Pure: the configuration of a server that runs all four services in one process and keeps everything in PostgreSQL, in
 * the format of https://docs.temporal.io/references/configuration. JSON is YAML, too.
 */
export function fullTemporalConfig({ databaseUrl, ports, dynamicConfigFile }: FullTemporalConfigOptions): string {
  const { host, username, password } = new URL(databaseUrl)
  const store = (databaseName: string, maxConns: number) => ({
    sql: {
      pluginName: 'postgres12',
      databaseName,
      connectAddr: host,
      connectProtocol: 'tcp',
      user: username,
      password: decodeURIComponent(password),
      maxConns,
      maxIdleConns: maxConns,
      maxConnLifetime: '1h',
    },
  })
  const service = (index: number) => ({
    rpc: { grpcPort: ports[2 * index], membershipPort: ports[2 * index + 1], bindOnLocalHost: true },
  })
  return JSON.stringify({
    log: { stdout: true, level: 'warn' },
    persistence: {
      defaultStore: 'default',
      visibilityStore: 'visibility',
      numHistoryShards: HISTORY_SHARDS,
      datastores: {
        default: store(DATABASES.temporal, CONNECTIONS),
        visibility: store(DATABASES.visibility, VISIBILITY_CONNECTIONS),
      },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' } },
    services: Object.fromEntries(SERVICES.map((name, index) => [name, service(index)])),
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: { enabled: true, initialFailoverVersion: 1, rpcName: 'frontend', rpcAddress: `127.0.0.1:${ports[0]}` },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    dynamicConfigClient: { filepath: dynamicConfigFile, pollInterval: '60s' },
  })
}

/** Pure: what differs from the server's defaults is what differs in the embedded server. */
export function fullTemporalDynamicConfig(): string {
  return JSON.stringify(
    Object.fromEntries(
      // On the command line of the embedded server, texts are given as JSON.
      Object.entries(DYNAMIC_CONFIG).map(([key, value]) => [key, [{ value: JSON.parse(String(value)) }]]),
    ),
  )
}
