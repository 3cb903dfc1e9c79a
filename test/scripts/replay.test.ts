import { execFile } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared.js'
import { describeFailure, runCommandLine } from '../../scripts/replay/command-line.ts'
import { type History, parseHistory } from '../../scripts/replay/history.ts'
import { replayHistory } from '../../scripts/replay/replay-history.ts'
import { createPayloadCodec } from '../../src/temporal/payload-codec.ts'
import { folderForFile } from '../support/for-file.ts'
import { type PlantedTree, PROJECT, plantTree } from '../support/import-graph.ts'
import { TEST_KEYS } from '../support/keys.ts'
import { quietRuntime } from '../support/temporal.ts'

const RECORDED = fileURLToPath(new URL('../replay/histories/0.1.0', import.meta.url))
const fileOf = (name: string) => join(RECORDED, `${name}.json`)
const recorded = (name: string): History => parseHistory(readFileSync(fileOf(name), 'utf8'), name)

const folder = folderForFile()
const planted: PlantedTree[] = []
beforeAll(quietRuntime)
afterAll(() => {
  globalHandlers.uninstall()
  for (const { remove } of planted) remove()
})

async function command(...args: string[]) {
  const lines: string[] = []
  const write = (line: string) => void lines.push(line)
  const code = await runCommandLine(args, { say: write, complain: write })
  return { code, text: lines.join('\n') }
}

/** What the command says of a recorded history, where a copy of the workflows has one changed file. */
async function replayChanged(name: string, file: string, change: (code: string) => string): Promise<string> {
  const tree = plantTree({})
  planted.push(tree)
  for (const room of ['domain', 'workflows']) cpSync(join(PROJECT, room), join(tree.folder, room), { recursive: true })
  const path = join(tree.folder, file)
  const code = readFileSync(path, 'utf8')
  // Where the code to change is not there any more, this test must be written anew, not pass.
  expect(change(code)).not.toBe(code)
  writeFileSync(path, change(code))
  const history = recorded(name)
  const workflowId = 'payment-iv_a'
  const cacheFolder = join(tree.folder, 'cache')
  const failed = await replayHistory(history, { workflowId, keys: TEST_KEYS, root: tree.folder, cacheFolder })
  return failed === null ? 'It replays.' : describeFailure(workflowId, failed)
}

/** The same history as a service that encrypts would have written it. */
async function encrypted(value: unknown, workflowId: string): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((inner) => encrypted(inner, workflowId)))
  if (typeof value !== 'object' || value === null) return value
  const { metadata, data } = value as { metadata?: { encoding?: string }; data?: string }
  if (typeof metadata?.encoding === 'string') {
    const bytes = {
      metadata: { encoding: Buffer.from(metadata.encoding, 'base64') },
      data: Buffer.from(data ?? '', 'base64'),
    }
    const context = { type: 'workflow', namespace: 'live', workflowId } as const
    const [made] = await createPayloadCodec(TEST_KEYS, { encrypts: true }).encode([bytes], context)
    const entries = Object.entries(made?.metadata ?? {}).map(([name, given]) => [
      name,
      Buffer.from(given).toString('base64'),
    ])
    return { metadata: Object.fromEntries(entries), data: Buffer.from(made?.data ?? []).toString('base64') }
  }
  const entries = Object.entries(value).map(async ([name, inner]) => {
    // The server reads the one, the SDK's core has written the other: both are in clear.
    const isPlain =
      name === 'indexedFields' || (name === 'data' && Array.isArray((inner as { payloads?: unknown })?.payloads))
    return [name, isPlain ? inner : await encrypted(inner, workflowId)] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

describe('npm run replay', () => {
  test('says that a history replays to its end', async () => {
    const { code, text } = await command(fileOf('authorized-then-captured.together'))
    expect(text).toMatch(/^payment-iv_\w+ replays to its end, \d+ events\.$/)
    expect(code).toBe(0)
  })

  test('names the first activity that is another one', async () => {
    const text = await replayChanged('sale.together', 'workflows/payment-run.ts', (code) =>
      code.replaceAll('steps.capture.', 'steps.voidAuthorization.'),
    )
    expect(text).toMatch(
      /The first difference is event \d+ \(marker recorded, 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC\):\n {2}the history has the local activity capture \(".+"\);\n {2}the code now asks for the local activity voidAuthorization\./,
    )
  })

  test('decrypts an encrypted history, and says which key is missing where it is', async () => {
    const plain = recorded('sale.together')
    const workflowId = String(plain.events[0]?.workflowExecutionStartedEventAttributes?.workflowId)
    const history = (await encrypted(plain, workflowId)) as History
    expect(JSON.stringify(history)).not.toBe(JSON.stringify(plain))
    expect(await replayHistory(history, { workflowId, keys: TEST_KEYS })).toBeNull()
    const file = join(folder, 'encrypted.json')
    writeFileSync(file, JSON.stringify(history))
    const { code, text } = await command(file)
    expect({ code, text }).toEqual({
      code: 2,
      text: expect.stringMatching(/^Event 1 cannot be decrypted\. There is no payload key with the id "p1"\.$/),
    })
  })

  test.each([
    ['no JSON', 'no'],
    ['no events', '{}'],
    ['a part of a history', '{"events":[{"eventId":"7","workflowTaskScheduledEventAttributes":{}}]}'],
    [
      'decoded payloads',
      '[{"eventId":"1","workflowExecutionStartedEventAttributes":{"input":{"payloads":[{"a":1}]}}}]',
    ],
  ])('refuses a file with %s', async (_, content) => {
    const file = join(folder, 'wrong.json')
    writeFileSync(file, content)
    expect(await command(file)).toMatchObject({ code: 2, text: expect.stringContaining(file) })
  })

  test('explains itself, and ends by itself as a process', async () => {
    expect(await command('--help')).toMatchObject({ code: 0, text: expect.stringContaining('Exit codes:') })
    expect(await command()).toMatchObject({ code: 2 })
    expect(await command('no-such-file.json')).toEqual({ code: 2, text: 'There is no file no-such-file.json.' })
    const script = join(PROJECT, 'scripts', 'replay.ts')
    const { stdout } = await promisify(execFile)(process.execPath, [script, fileOf('voided.apart')])
    expect(stdout).toContain('replays to its end')
  })
})
