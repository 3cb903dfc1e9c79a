import { execFile, spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import type { StripeHost } from '../../../src/gateways/stripe/client.ts'

const run = promisify(execFile)

/** Stripe's own server for tests, which checks requests against its published description of the interface. */
const MODULE = 'github.com/stripe/stripe-mock'
const VERSION = 'v0.203.0'

/** The first build downloads and compiles; later ones find the program where it was put. */
const BUILD_TIMEOUT_MS = 300_000

export interface StripeMock {
  host: StripeHost
  close(): void
}

/** Null, said aloud, where Go is missing or its modules cannot be had. */
export async function startStripeMock(): Promise<StripeMock | null> {
  const program = await findProgram()
  if (program === null) return null
  const child = spawn(program, ['-http-addr', '127.0.0.1:', '-https-addr', '127.0.0.1:'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout })) {
    const port = /HTTP at address: 127\.0\.0\.1:(\d+)/.exec(line)?.[1]
    if (port !== undefined) {
      child.stdout.resume()
      return { host: { protocol: 'http', host: '127.0.0.1', port: Number(port) }, close: () => child.kill() }
    }
  }
  skip('stripe-mock ended before it listened')
  return null
}

async function findProgram(): Promise<string | null> {
  const folder = join(tmpdir(), `stripe-mock-${VERSION}`)
  const program = join(folder, 'stripe-mock')
  try {
    await run(program, ['-version'])
    return program
  } catch {
    // It is not there yet.
  }
  try {
    await mkdir(folder, { recursive: true })
    await run('go', ['install', `${MODULE}@${VERSION}`], {
      env: { ...process.env, GOBIN: folder },
      timeout: BUILD_TIMEOUT_MS,
    })
    return program
  } catch (error) {
    skip(error instanceof Error && 'code' in error ? `go install failed (${String(error.code)})` : 'go install failed')
    return null
  }
}

function skip(reason: string): void {
  process.stderr.write(`SKIPPED: the shapes of the requests to Stripe were not checked by stripe-mock: ${reason}.\n`)
}
