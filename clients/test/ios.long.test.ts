import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { saySkipped } from '../../test/gateways/skipped.ts'

/** The library for iOS, compiled by Swift for Linux or macOS and tested against the wire fixtures. */

const path = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url))
const FOLDER = path('clients/ios')
const SWIFT = path('scripts/swift.sh')
const BUILD_TIMEOUT_MS = 15 * 60_000

const { status, stderr } = spawnSync('bash', [SWIFT, '--version'], { encoding: 'utf8', cwd: FOLDER })
const hasSwift = status === 0
if (!hasSwift) saySkipped('the library for iOS is not compiled', stderr.trim())
const describeOrSkip = hasSwift ? describe : describe.skip

describeOrSkip('the library for iOS', () => {
  let exitCode: number | null
  let output = ''

  beforeAll(async () => {
    // Warnings would be errors in the next version of the language.
    const options = ['--scratch-path', path('node_modules/.cache/swift'), '-Xswiftc', '-warnings-as-errors']
    const child = spawn('bash', [SWIFT, 'test', ...options], {
      cwd: FOLDER,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: BUILD_TIMEOUT_MS,
    })
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    exitCode = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  })

  test('is compiled, and passes its tests', () => {
    // The end of what Swift says tells what is wrong.
    expect(exitCode === 0 ? '' : output.slice(-5_000)).toBe('')
    for (const suite of ['FixtureTests', 'FlowTests']) expect(output).toContain(`Test Suite '${suite}' passed`)
  })
})
