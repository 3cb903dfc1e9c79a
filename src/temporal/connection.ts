import { Client, type WorkflowClientInterceptor } from '@temporalio/client'
import type { DataConverter } from '@temporalio/common'
import { NativeConnection, Runtime, type TLSConfig } from '@temporalio/worker'
import { ENVIRONMENTS, type Environment } from '../../domain/environment.ts'
import type { Logger } from '../logger.ts'
import { createDataConverter, type PayloadAccess } from './data-converter.ts'

export interface TemporalConnection {
  /** Shared by clients and workers of a process: eager workflow starts need this. */
  connection: NativeConnection
  clients: Record<Environment, Client>
  /** Of the clients, and for the workers; absent where payloads are neither encrypted nor decrypted. */
  dataConverter: DataConverter | undefined
  /** To be called after the workers that use it have stopped. */
  close(): Promise<void>
}

/**
 * Prepares the SDK for this process, before any other use of the SDK; it stays as the first call has prepared it.
 *
 * By default the SDK stops the workers at a signal, at the same instant as the API that waits for their answers. Here the
 * process stops its parts in order instead.
 *
 * @param metricsAddress `host:port` where the SDK serves its metrics, with names as Prometheus asks for them; absent: nowhere.
 */
export function installTemporalRuntime(logger: Logger, metricsAddress?: string): void {
  if (Runtime._instance !== undefined) return
  Runtime.install({
    shutdownSignals: [],
    logger: temporalLogger(logger),
    telemetryOptions: {
      logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} },
      ...(metricsAddress !== undefined && {
        metrics: {
          prometheus: {
            bindAddress: metricsAddress,
            countersTotalSuffix: true,
            unitSuffix: true,
            useSecondsForDurations: true,
          },
        },
      }),
    },
  })
}

/** How to reach a server: unencrypted and without authentication, or over TLS with credentials. */
export interface Access {
  tls: TLSConfig | undefined
  apiKey: string | undefined
  namespaces: Record<Environment, string>
}

/** For a server on this machine. */
const IN_PLAIN: Access = { tls: undefined, apiKey: undefined, namespaces: { live: 'live', sandbox: 'sandbox' } }

/**
 * @param address `host:port` of the Temporal frontend.
 * @param payloads absent: what it sends is plain, and what is encrypted it cannot read.
 * @param interceptor goes around the requests of the clients for workflows.
 * @throws Error when nothing answers there.
 */
export async function connectTemporal(
  address: string,
  { tls, apiKey, namespaces }: Access = IN_PLAIN,
  payloads?: PayloadAccess,
  interceptor?: WorkflowClientInterceptor,
): Promise<TemporalConnection> {
  const connection = await NativeConnection.connect({
    address,
    tls: tls ?? null,
    ...(apiKey !== undefined && { apiKey }),
    // Payloads are small and servers near: compressing costs more time than it saves.
    grpcCompression: { codec: 'none' },
  })
  const dataConverter = payloads === undefined ? undefined : createDataConverter(payloads)
  const clients = Object.fromEntries(
    ENVIRONMENTS.map((environment) => [
      environment,
      new Client({
        connection,
        namespace: namespaces[environment],
        ...(dataConverter && { dataConverter }),
        ...(interceptor && { interceptors: { workflow: [interceptor] } }),
      }),
    ]),
  ) as Record<Environment, Client>
  return { connection, clients, dataConverter, close: () => connection.close() }
}

/** While the server is away, the SDK warns of each kind of call every few seconds. */
const RETRIED = /^gRPC call \S+ retried \d+ times/

/** What comes within this time after another warning of calls that are tried again tells nothing new. */
const SAME_OUTAGE_MS = 60_000

/** Maps the SDK's levels and argument order to ours. The SDK's info messages are debug detail here. */
export function temporalLogger(logger: Logger): NonNullable<Parameters<typeof Runtime.install>[0]['logger']> {
  let retriedAt = Number.NEGATIVE_INFINITY
  const isRepeated = (message: string): boolean => {
    if (!RETRIED.test(message)) return false
    const sinceMs = performance.now() - retriedAt
    retriedAt = performance.now()
    return sinceMs < SAME_OUTAGE_MS
  }
  const write = (level: 'trace' | 'debug' | 'warn' | 'error') => (message: string, meta?: object) =>
    logger[level === 'warn' && isRepeated(message) ? 'debug' : level]({ ...meta }, message)
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
