import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { makeCollection } from '../../scripts/postman/make-collection.ts'
import { providePostmanTools } from '../../scripts/postman/provide-tools.ts'
import { ENDPOINTS } from '../../src/api/endpoints.ts'
import { checkAnswer } from '../support/answer-check.ts'
import { folderForFile } from '../support/for-file.ts'
import { fuzzedDocument } from '../support/schemathesis/fuzzed-document.ts'
import { stackForFile } from '../support/stack-for-file.ts'

const TIMEOUT_MS = 300_000

/** Of what newman reports of a run. */
interface Execution {
  item: { name: string }
  request: { method: string; url: { path: string[]; query: { key: string; value: string }[] } }
  assertions?: { assertion: string; error?: { message: string } }[]
  response?: { code: number; stream: { data: number[] }; header: { key: string; value: string }[] }
}

const contentTypeOf = ({ header }: NonNullable<Execution['response']>) =>
  header.find(({ key }) => key.toLowerCase() === 'content-type')?.value ?? ''

describe('the Postman collection', () => {
  const stack = stackForFile({ mode: 'together' })
  let tools: string
  const folder = folderForFile()

  beforeAll(async () => {
    tools = await providePostmanTools()
  })

  /** Runs the collection by newman, as a merchant would in a pipeline. */
  async function run(): Promise<Execution[]> {
    // Without ids of its own, the document is the one that merchants get, but for where webhooks go.
    const collection = await makeCollection(tools, fuzzedDocument({}))
    const [file, report] = [join(folder, 'collection.json'), join(folder, 'report.json')]
    await writeFile(file, JSON.stringify(collection))
    const { id, secretKey } = stack.project
    const variables = { baseUrl: stack.baseUrl, projectId: `test-${id}`, secretKey }
    const given = Object.entries(variables).flatMap(([name, value]) => ['--env-var', `${name}=${value}`])
    const newman = join(tools, 'node_modules/newman/bin/newman.js')
    const options = [
      '--reporters',
      'json',
      '--reporter-json-export',
      report,
      '--timeout-request',
      '60000',
      '--suppress-exit-code',
    ]
    await promisify(execFile)(process.execPath, [newman, 'run', file, ...given, ...options], { timeout: TIMEOUT_MS })
    return JSON.parse(await readFile(report, 'utf8')).run.executions
  }

  test('is green from the top to the bottom, and every answer is as described', async () => {
    const executions = await run()
    const failed = executions.flatMap(({ item, assertions = [] }) =>
      assertions.flatMap(({ assertion, error }) => (error === undefined ? [] : [`${item.name} ${assertion}`])),
    )
    expect(failed).toEqual([])
    for (const { item, request, response, assertions = [] } of executions) {
      if (response === undefined) throw new Error(`${item.name} was not answered.`)
      expect([item.name, assertions.length > 0]).toEqual([item.name, true])
      if (!contentTypeOf(response).includes('json')) continue
      const { method, url } = request
      const answered = { method, path: `/${url.path.join('/')}`, authorization: '', status: response.code }
      checkAnswer({ ...answered, body: JSON.parse(Buffer.from(response.stream.data).toString()) })
    }
    const sent = new Set(executions.map(({ item }) => item.name))
    // Only a gateway can send the first two; no day has been reconciled.
    expect(ENDPOINTS.map(({ summary }) => summary).filter((name) => !sent.has(name))).toEqual([
      'Receive a notification of a gateway',
      'Hand in a report of a gateway',
      'Retrieve a reconciliation',
      'Retrieve a difference',
      'Resolve a difference',
    ])
  })
})
