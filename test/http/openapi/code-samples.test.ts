import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from '@jest/globals'
import { OPERATIONS } from '../../../clients/cli/src/generated/operations.ts'
import { Holdfast } from '../../../clients/node/src/index.ts'
import { ENDPOINTS } from '../../../src/api/endpoints.ts'
import { codeSamples } from '../../../src/http/openapi/code-samples.ts'
import { interfaceForFile } from '../interface.ts'

const samplesOf = (endpoint: (typeof ENDPOINTS)[number]) =>
  new Map(codeSamples(endpoint).map(({ label, source }) => [label, source]))

describe.each(ENDPOINTS.map((endpoint) => [endpoint.id, endpoint] as const))('the samples of %s', (_, endpoint) => {
  const samples = samplesOf(endpoint)
  const sample = (label: string) => samples.get(label) ?? ''

  test('send what the reference shows, by curl and the command line', () => {
    const example = endpoint.body?.example
    for (const [label, beginning, end] of [
      ['curl', " -d '", /'$/],
      ['CLI', "<<'END'\n", /\nEND$/],
    ] as const) {
      const [, body] = sample(label).split(beginning)
      if (!samples.has(label)) continue
      expect(body === undefined).toBe(example === undefined || Object.keys(example).length === 0)
      // Ids are shortened, and nothing else is changed.
      if (body !== undefined)
        expect(Object.keys(JSON.parse(body.replace(end, '').replaceAll("'\\''", "'")))).toEqual(
          Object.keys(example ?? {}),
        )
    }
  })

  test('print the answer', () => {
    expect(sample('Python')).toMatch(/^print\(answer\.status_code, answer\.(json\(\)|text)\)$/m)
    expect(sample('PHP')).toMatch(/^print_r\(\$answer\);$/m)
    if (samples.has('Node')) expect(sample('Node')).toMatch(/console\.log\((one|answer)\)$/)
  })

  test('name methods and commands that there are', () => {
    if (endpoint.method === null) return expect([...samples.keys()]).toEqual(['curl', 'Python', 'PHP'])
    const client = new Holdfast({ projectId: 'test-proj_1', secretKey: 'key_1', apiUrl: 'http://127.0.0.1' })
    const [, called = ''] = /client\.([\w.]+)\(/.exec(sample('Node')) ?? []
    const method = called.split('.').reduce((at: unknown, name) => (at as Record<string, unknown>)[name], client)
    expect(method).toBeInstanceOf(Function)
    const names = OPERATIONS.map(({ method: name }) =>
      name.replaceAll('.', ' ').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    )
    expect(names.some((name) => sample('CLI').startsWith(`holdfast ${name}`))).toBe(true)
  })
})

test('all samples of Python can be read by Python', () => {
  const program = 'import ast, json, sys\nfor source in json.load(sys.stdin): ast.parse(source)'
  const sources = ENDPOINTS.map((endpoint) => samplesOf(endpoint).get('Python'))
  const { status, stderr } = spawnSync('python3', ['-c', program], { input: JSON.stringify(sources), encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
})

describe('a sample of curl, copied with the keys of a sandbox', () => {
  const api = interfaceForFile()
  const curl = (endpoint: (typeof ENDPOINTS)[number]) => samplesOf(endpoint).get('curl') ?? ''
  /** What names an object is to be filled in. */
  const needsNothing = ENDPOINTS.filter(({ path }) => !/:(id|\w+_id)\b/.test(path))

  test('is there for every object that is made', () => {
    const places = needsNothing.filter(({ httpMethod }) => httpMethod === 'POST').map(({ place }) => place)
    expect(places).toEqual(expect.arrayContaining(['POST /cards', 'POST /customers', 'POST /invoices']))
  })

  test.each(needsNothing)('is answered twice: $place', async (endpoint) => {
    const { projectId, secretKey } = api.merchant
    const command = curl(endpoint)
      .replace('https://payments.example', api.url)
      .replace('test-proj_…:key_…', `test-${projectId}:${secretKey}`)
    expect(command).not.toContain('…')
    for (const _ of ['first', 'again']) {
      const { stdout, stderr } = await promisify(execFile)('sh', ['-c', command.replace('curl ', 'curl -sS -i ')])
      expect([stdout.slice(0, stdout.indexOf('\r')), stderr, stdout]).toEqual(['HTTP/1.1 200 OK', '', stdout])
      expect(stdout).not.toMatch(/^idempotent-replayed/im)
    }
  })
})
