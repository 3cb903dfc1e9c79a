import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { routesOf } from '../../../src/http/app.ts'
import type { AppDeps } from '../../../src/http/dependencies.ts'
import { openApiDocument } from '../../../src/http/openapi/document.ts'
import { accessesOf } from '../../../src/http/route-access.ts'

const TIMEOUT_MS = 180_000
const REDOCLY = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'))

interface Report {
  totals: { errors: number; warnings: number }
  problems: { ruleId: string; message: string; location: { pointer?: string }[] }[]
}

describe('the document of the interface', () => {
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'holdfast-lint-'))
  })

  afterAll(() => rm(folder, { recursive: true }))

  /** What Redocly finds by its strictest rules; examples are validated against their schemas, too. */
  async function lint(document: object): Promise<string[]> {
    const file = join(folder, 'openapi.json')
    await writeFile(file, JSON.stringify(document))
    const options = ['lint', file, '--extends', 'recommended-strict', '--format', 'json', '--max-problems', '1000']
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
    const settings = { env, timeout: TIMEOUT_MS, maxBuffer: 16 * 1024 * 1024 }
    const { stdout } = await promisify(execFile)(process.execPath, [REDOCLY, ...options], settings).catch(
      (error: { stdout: string }) => error,
    )
    const { problems } = JSON.parse(stdout) as Report
    return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer})`)
  }

  const document = () => openApiDocument(accessesOf(routesOf({} as AppDeps))) as Record<string, object>

  test('has nothing that Redocly finds fault with', async () => expect(await lint(document())).toEqual([]), TIMEOUT_MS)
})
