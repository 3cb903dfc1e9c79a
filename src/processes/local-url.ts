import type { Config } from '../config.ts'

/** Addresses that stand for every interface of the machine; nobody can be sent there. */
const EVERY_INTERFACE: readonly string[] = ['0.0.0.0', '::']

/** Where this machine reaches an API that listens there. */
export function localUrl({ host, port }: Pick<Config, 'host' | 'port'>): string {
  return `http://${reachable(host)}:${port}`
}

function reachable(host: string): string {
  if (EVERY_INTERFACE.includes(host)) return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
