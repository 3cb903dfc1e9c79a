import { fileURLToPath } from 'node:url'
import { obtainTemporalCli } from '../../../src/embedded/temporal-cli.ts'

/** Kept from run to run, and the same program that the tests use. */
const CLI_CACHE = fileURLToPath(new URL('../../../.test-data/temporal-cli', import.meta.url))

/** The program of the embedded Temporal. */
export function obtainCli(log: (line: string) => void, signal: AbortSignal): Promise<string> {
  const explicitPath = process.env.TEMPORAL_CLI_PATH
  return obtainTemporalCli({ cacheFolder: CLI_CACHE, explicitPath, searchPath: false, signal, log })
}
