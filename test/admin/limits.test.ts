import { beforeAll, describe, expect, test } from '@jest/globals'
import type { HttpClient } from '../support/http-client.ts'
import { actsOn } from './acts.ts'
import { adminStageForFile } from './stage.ts'

const stage = adminStageForFile()
let projectId: string
let client: HttpClient

beforeAll(async () => {
  const made = await stage.createProject('Busy shop')
  projectId = made.projectId
  client = made.client
})

describe('limits', () => {
  test('stay as they are, all of them, where one is not understood', async () => {
    const before = await stage.api.database.dump()
    const cases: [string, string][] = [
      ['tertiary=1', '"tertiary=1" is not a limit with its number; there are primary, secondary, sandbox'],
      ['sandbox=many', 'is not a limit with its number'],
      ['sandbox=-1', 'is not a limit with its number'],
      ['sandbox=1.5', 'is not a limit with its number'],
      ['sandbox=0', 'sandbox is from 1 to 600000 requests a minute, not 0.'],
      ['sandbox=600001', 'sandbox is from 1 to 600000 requests a minute, not 600001.'],
      ['primary=6', 'primary is named twice.'],
    ]
    for (const [assignment, sentence] of cases) {
      const { code, stdout, stderr } = await stage.admin('limits', 'set', projectId, 'primary=5', assignment)
      expect([assignment, code, stdout]).toEqual([assignment, 2, ''])
      expect(stderr).toContain(sentence)
    }
    expect(await stage.api.database.dump()).toBe(before)
  })

  test('are shown, changed one by one, and hold from the next request on', async () => {
    expect((await stage.admin('limits', 'show', projectId)).stdout).toBe(
      'primary         3000\nsecondary       3000\nsandbox         3000\nclient_address  300\nclient_invoice  60\n',
    )
    expect((await client.get('/invoices')).headers.get('x-ratelimit')).toBe('3000')

    const set = await stage.admin('limits', 'set', `test-${projectId}`, 'sandbox=2', 'client_invoice=7')
    expect(set).toEqual({
      code: 0,
      stdout:
        'primary         3000\nsecondary       3000\nsandbox         2 (was 3000)\nclient_address  300\nclient_invoice  7 (was 60)\n',
      stderr: '',
    })
    const answers = []
    for (let asked = 0; asked < 3; asked += 1) answers.push(await client.get('/invoices'))
    expect(answers.map(({ headers }) => headers.get('x-ratelimit'))).toEqual(['2', '2', '2'])
    expect(answers.at(-1)).toMatchObject({ status: 429, body: { error_type: 'request.rate.exceeded' } })

    await stage.admin('limits', 'set', projectId, 'sandbox=600000')
    expect((await client.get('/invoices')).status).toBe(200)
    expect((await actsOn(stage, projectId)).slice(2)).toMatchObject([
      {
        kind: 'project.limits-changed',
        facts: { sandbox: { from: 3000, to: 2 }, client_invoice: { from: 60, to: 7 } },
      },
      { kind: 'project.limits-changed', facts: { sandbox: { from: 2, to: 600_000 } } },
    ])
  })
})
