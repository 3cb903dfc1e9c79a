import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { saySkipped } from '../../test/gateways/skipped.ts'
import { makeStack, type Stack } from '../../test/support/stack.ts'
import { type MavenRun, runMaven, whyNoMaven } from './maven.ts'

/**
 * The library for Android: built by Maven, and tested against the wire fixtures and against a service that runs, with its
 * simulator and the simulator's bank.
 */

const FOLDER = fileURLToPath(new URL('../android', import.meta.url))
/** The first build downloads the compiler. */
const BUILD_TIMEOUT_MS = 15 * 60_000

const problem = whyNoMaven()
if (problem !== null) saySkipped('the library for Android, its build and its tests', problem)
const describeOrSkip = problem === null ? describe : describe.skip

describeOrSkip('the library for Android', () => {
  let stack: Stack
  let run: MavenRun

  beforeAll(async () => {
    stack = await makeStack({ mode: 'together' })
    const settings = {
      HOLDFAST_URL: stack.baseUrl,
      HOLDFAST_PROJECT_ID: `test-${stack.project.id}`,
      HOLDFAST_SECRET_KEY: stack.project.secretKey,
    }
    run = await runMaven(FOLDER, settings, BUILD_TIMEOUT_MS)
  })
  afterAll(() => stack?.stop())

  test('is built, and passes its tests', () => {
    // The end of what Maven says tells what is wrong.
    expect(run.exitCode === 0 ? '' : run.output.slice(-5_000)).toBe('')
  })

  test('leaves out none of its tests, those against the running service among them', () => {
    const sources = readdirSync(join(FOLDER, 'src/test'), { recursive: true }).map((path) => basename(String(path)))
    const classes = sources.filter((name) => /Test\.(kt|java)$/.test(name)).map((name) => name.replace(/\..*/, ''))
    expect(Object.keys(run.tests).toSorted()).toEqual(classes.toSorted())
    for (const counts of Object.values(run.tests)) expect(counts).toMatchObject({ failed: 0, skipped: 0 })
    expect(run.tests.RunningServiceTest?.run).toBeGreaterThan(10)
  })
})
