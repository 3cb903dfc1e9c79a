import { Client } from '@temporalio/client'
import { NativeConnection, Runtime, type TLSConfig } from '@temporalio/worker'
import { ENVIRONMENTS, type Environment } from '../../domain/environment.ts'
import type { Logger } from '../logger.ts'

export interface TemporalConnection {
  /** Shared by clients and workers of a process: only then can a workflow start come back as work. */
  connection: NativeConnection
  clients: Record<Environment, Client>
  /** Only after the workers that use it have stopped. */
  close(): Promise<void>
}

/**
 * Prepares the SDK for this process; to be called once, before anything else of it is used.
 *
 * The SDK would end the workers by itself at a signal, at the same instant as the API that waits for their answers.
 * The process stops its parts in order instead.
 */
export function installTemporalRuntime(logger: Logger): void {
  Runtime.install({
    shutdownSignals: [],
    logger: temporalLogger(logger),
    telemetryOptions: { logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} } },
  })
}

/** How a server is reached: in plain and by anybody, or over TLS and with what proves who asks. */
export interface Access {
  tls: TLSConfig | undefined
  apiKey: string | undefined
  namespaces: Record<Environment, string>
}

/** To a server of this machine. */
const IN_PLAIN: Access = { tls: undefined, apiKey: undefined, namespaces: { live: 'live', sandbox: 'sandbox' } }

/**
 * @param address `host:port` of the Temporal frontend.
 * @throws Error when nothing answers there.
 */
export async function connectTemporal(
  address: string,
  { tls, apiKey, namespaces }: Access = IN_PLAIN,
): Promise<TemporalConnection> {
  const connection = await NativeConnection.connect({
    address,
    tls: tls ?? null,
    ...(apiKey !== undefined && { apiKey }),
    // Payloads are small and servers near: compressing costs more time than it saves.
    grpcCompression: { codec: 'none' },
  })
  const clients = Object.fromEntries(
    ENVIRONMENTS.map((environment) => [environment, new Client({ connection, namespace: namespaces[environment] })]),
  ) as Record<Environment, Client>
  return { connection, clients, close: () => connection.close() }
}

/** The SDK's levels and argument order, in terms of ours. What it calls info is detail to everybody else. */
function temporalLogger(logger: Logger): NonNullable<Parameters<typeof Runtime.install>[0]['logger']> {
  const write = (level: 'trace' | 'debug' | 'warn' | 'error') => (message: string, meta?: object) =>
    logger[level]({ ...meta }, message)
  const levels = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const
  return {
    log: (level, message, meta) => write(levels[level])(message, meta),
    trace: write('trace'),
    debug: write('debug'),
    info: write('debug'),
    warn: write('warn'),
    error: write('error'),
  }
}
