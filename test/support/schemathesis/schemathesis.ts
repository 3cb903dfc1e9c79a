import { execFile } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { pythonWith } from '../../../scripts/python-tools.ts'

const run = promisify(execFile)

const REQUIREMENTS = fileURLToPath(new URL('requirements.txt', import.meta.url))

/** The Python of a virtual environment with Schemathesis; null on a machine without a Python that it runs on. */
export function provideSchemathesis(): Promise<string | null> {
  return pythonWith('schemathesis', REQUIREMENTS)
}

/** No answer of ours may be an error of ours, or be another one than the document says. */
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
]

interface Fuzz {
  /** The path of the document. */
  document: string
  url: string
  credentials: string
  /** How many requests an operation gets at most in each of the phases that make them up. */
  casesPerOperation: number
  phases: readonly string[]
  timeoutMs: number
}

export interface FuzzResult {
  passed: boolean
  /** What Schemathesis prints: the failures, each with a curl that repeats it, and the counts. */
  output: string
  /** How many requests were sent. */
  cases: number
}

/** Sends what the document allows, and what it does not, always in the same order. */
export async function fuzz(python: string, options: Fuzz): Promise<FuzzResult> {
  const { document, url, credentials, casesPerOperation, phases, timeoutMs } = options
  const parameters = [
    ['--url', url],
    ['--auth', credentials],
    ['--checks', CHECKS.join(',')],
    ['--phases', phases.join(',')],
    ['--max-examples', String(casesPerOperation)],
    ['--seed', '1'],
    ['--suppress-health-check', 'all'],
    ['--request-timeout', '60'],
    ['--generation-database', 'none'],
    ['--warnings', 'off'],
  ].flat()
  const command = ['-m', 'schemathesis.cli', 'run', document, ...parameters, '--continue-on-failure', '--no-color']
  // It keeps what it has found in the folder that it runs in.
  const cwd = dirname(document)
  const settings = { cwd, timeout: timeoutMs, maxBuffer: 64 * 1024 * 1024, env: { ...process.env, COLUMNS: '160' } }
  const { code, output } = await run(python, command, settings).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    (error: { code?: number | string; stdout?: string; stderr?: string }) => ({
      code: error.code ?? 1,
      output: `${error.stdout ?? ''}${error.stderr ?? ''}`,
    }),
  )
  const [, cases = '0'] = /(\d[\d,]*) generated/.exec(output) ?? []
  return { passed: code === 0, output, cases: Number(cases.replaceAll(',', '')) }
}
