import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'
import { interfaceDocument } from '../../../src/api/document.ts'
import { folderForFile } from '../../support/for-file.ts'

const TIMEOUT_MS = 180_000
const REDOCLY = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'))

const folder = folderForFile()

test('Redocly finds no fault with the document by its strictest rules, nor with its examples by their schemas', async () => {
  const file = join(folder, 'openapi.json')
  await writeFile(file, JSON.stringify(interfaceDocument()))
  const options = ['lint', file, '--extends', 'recommended-strict', '--format', 'json', '--max-problems', '1000']
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const settings = { env, timeout: TIMEOUT_MS, maxBuffer: 16 * 1024 * 1024 }
  const { stdout } = await promisify(execFile)(process.execPath, [REDOCLY, ...options], settings).catch(
    (error: { stdout: string }) => error,
  )
  const { problems } = JSON.parse(stdout)
  expect(problems).toEqual([])
})
