import { obtainTemporalCli } from '../../../src/embedded/temporal-cli.ts'

/** The program of the embedded Temporal, the same that the tests use. */
export function obtainCli(log: (line: string) => void, signal: AbortSignal): Promise<string> {
  const explicitPath = process.env.TEMPORAL_CLI_PATH
  return obtainTemporalCli({ explicitPath, searchPath: false, signal, log })
}
