import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { systemClock } from '../../src/clock.ts'
import { createDnsResolver } from '../../src/webhooks/resolve-host.ts'
import { createWebhookSender } from '../../src/webhooks/send.ts'
import { createTargetGuard } from '../../src/webhooks/target-guard.ts'
import { runningForFile } from '../support/for-file.ts'
import { type DnsRecord, makeNameServer, type NameServer } from '../support/name-server.ts'
import { makeReceiver } from '../support/receiver.ts'
import { makeCanary } from './canary.ts'

/** Public to the guard, and in a range that nobody has been given; the canary lets no packet out either. */
const NOBODYS_ADDRESS = '2d00::1'

const LOOPBACK: DnsRecord = { type: 'A', data: '127.0.0.1' }
const PUBLIC: DnsRecord = { type: 'AAAA', data: NOBODYS_ADDRESS }

const canary = runningForFile(makeCanary)

const servers: NameServer[] = []
beforeEach(() => canary.clear())
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()))
})

/** A name server that gives each look-up (a question for IPv4 and one for IPv6) the next answer; the last one stays. */
async function nameServer(...answers: readonly (readonly DnsRecord[])[]): Promise<NameServer> {
  const asked = { A: 0, AAAA: 0 }
  return serve(({ type }) => {
    if (type === 'other') return []
    const records = answers[Math.min(asked[type]++, answers.length - 1)] ?? []
    return records.filter((record) => record.type === type || record.type === 'CNAME' || record.name !== undefined)
  })
}

async function serve(answer: Parameters<typeof makeNameServer>[0]): Promise<NameServer> {
  const server = await makeNameServer(answer)
  servers.push(server)
  return server
}

function send(
  url: string,
  { server }: NameServer,
  options: { allowPrivateTargets?: boolean; timeoutMs?: number } = {},
) {
  const { allowPrivateTargets = false, timeoutMs = 10_000 } = options
  const resolve = createDnsResolver({ servers: [server] })
  return createWebhookSender({ allowPrivateTargets, timeoutMs, clock: systemClock, resolve }).send({
    url: url.replace('{port}', String(canary.port)),
    environment: 'sandbox',
    messageId: 'ev_1',
    body: { event_id: 'ev_1', event_type: 'transaction.captured' },
    secrets: [],
  })
}

describe('a name that moves into this machine after it was checked', () => {
  test.each(['http', 'https'])('is connected to at the checked address only, over %s', async (scheme) => {
    const names = await nameServer([PUBLIC], [LOOPBACK])
    const url = `${scheme}://rebound.example:{port}/`
    expect(await send(url, names)).toMatchObject({ delivered: false, status: null })
    expect(canary.attempts()).toEqual([`${NOBODYS_ADDRESS}:${canary.port}`])
    expect(names.questions).toHaveLength(2)
    expect(new Set(names.questions.map(({ type }) => type))).toEqual(new Set(['A', 'AAAA']))
    // The next attempt is another look-up, and it is refused.
    expect(await send(url, names)).toMatchObject({ delivered: false, reason: 'forbidden_target' })
    expect(canary.attempts()).toHaveLength(1)
    expect(canary.arrivals()).toBe(0)
  })

  test('is never reached, however often it moves and however many webhooks go there at once', async () => {
    const both = [PUBLIC, LOOPBACK]
    const names = await nameServer([PUBLIC], [LOOPBACK], both, [PUBLIC], both, [], [LOOPBACK], [PUBLIC])
    const results = await Promise.all(Array.from({ length: 40 }, () => send('http://rebound.example:{port}/', names)))
    expect(results.filter(({ delivered }) => delivered)).toEqual([])
    expect(new Set(canary.attempts())).toEqual(new Set([`${NOBODYS_ADDRESS}:${canary.port}`]))
    expect(canary.arrivals()).toBe(0)
  })

  test('gets the webhook where it was when it was checked, under its name', async () => {
    const names = await nameServer([LOOPBACK], [{ type: 'A', data: '127.0.0.2' }])
    const options = { allowPrivateTargets: true, timeoutMs: 5_000 }
    expect(await send('http://moving.example:{port}/hook', names, options)).toMatchObject({ delivered: true })
    expect(canary.attempts()).toEqual([`127.0.0.1:${canary.port}`])
    expect(canary.requests()).toEqual([`moving.example:${canary.port}/hook`])
    expect(names.questions).toHaveLength(2)
  })
})

describe('no connection is made to a name of which a name server', () => {
  test.each<[string, readonly DnsRecord[]]>([
    ['gives a private address', [{ type: 'A', data: '10.0.0.1' }]],
    ['gives the metadata service', [{ type: 'A', data: '169.254.169.254' }]],
    ['gives this machine over IPv6', [{ type: 'AAAA', data: '::1' }]],
    ['gives this machine in a mapped address', [{ type: 'AAAA', data: '::ffff:7f00:1' }]],
    ['gives this machine beside a public address', [PUBLIC, LOOPBACK]],
    [
      'gives one private address among public ones',
      ['1.1.1.1', '8.8.8.8', '192.168.0.1', '9.9.9.9'].map((data) => ({ type: 'A' as const, data })),
    ],
    [
      'gives an alias that leads inside',
      [
        { type: 'CNAME', data: 'database.internal' },
        { name: 'database.internal', type: 'A', data: '10.0.0.5' },
      ],
    ],
    [
      'gives an alias of an alias that leads to this machine',
      [
        { type: 'CNAME', data: 'one.example' },
        { name: 'one.example', type: 'CNAME', data: 'two.example' },
        { name: 'two.example', type: 'A', data: '127.0.0.1' },
      ],
    ],
  ])('%s', async (_, records) => {
    const names = await nameServer(records)
    const result = await send('http://merchant.example:{port}/', names, { timeoutMs: 5_000 })
    expect(result).toMatchObject({ delivered: false, status: null, reason: 'forbidden_target' })
    expect(canary.attempts()).toEqual([])
  })
})

describe('an answer that sends us on', () => {
  const inside = () => [
    `http://127.0.0.1:${canary.port}/`,
    `//127.0.0.1:${canary.port}/`,
    `http://localhost:${canary.port}/`,
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/',
    'https://1.1.1.1/',
    '/elsewhere',
    'file:///etc/passwd',
  ]

  test.each([201, 300, 301, 302, 303, 305, 307, 308])('with %i is not followed', async (status) => {
    const receiver = await makeReceiver()
    try {
      const names = await nameServer([LOOPBACK])
      for (const location of inside()) {
        receiver.answerWith((response) =>
          response.writeHead(status, { location, refresh: `0; url=${location}`, 'alt-svc': `h2="${location}"` }).end(),
        )
        canary.clear()
        const result = await send(receiver.url, names, { allowPrivateTargets: true, timeoutMs: 5_000 })
        expect(result).toMatchObject(
          status === 201 ? { delivered: true, status } : { delivered: false, status, reason: 'redirect' },
        )
        expect(canary.attempts()).toEqual([new URL(receiver.url).host])
        expect(canary.arrivals()).toBe(0)
      }
      expect(receiver.received).toHaveLength(inside().length)
    } finally {
      await receiver.stop()
    }
  })
})

describe('a public name', () => {
  test('may be connected to at the addresses behind its alias', async () => {
    const { server } = await nameServer([
      { type: 'CNAME', data: 'edge.example' },
      { name: 'edge.example', type: 'A', data: '1.1.1.1' },
    ])
    const guard = createTargetGuard({ allowPrivateTargets: false, resolve: createDnsResolver({ servers: [server] }) })
    expect(await guard.check('https://merchant.example/', 'live')).toMatchObject({
      kind: 'allowed',
      addresses: [{ address: '1.1.1.1', family: 4 }],
    })
  })
})
