import { once } from 'node:events'
import { type RequestListener, Server, type ServerResponse } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from '@jest/globals'
import { shareByAddress } from '../../../src/http/server/connections.ts'
import { createHttpServer, type HttpServer, type HttpServerOptions } from '../../../src/http/server/http-server.ts'
import { HTTP_LIMITS, type HttpLimits } from '../../../src/http/server/limits.ts'
import { flood } from '../../support/flood.ts'
import { seededRandomBytes } from '../../support/random.ts'
import { answersIn, openRawConnection } from '../../support/raw-connection.ts'
import { waitFor } from '../../support/wait-for.ts'

/** What a request may take is so long that no busy machine exceeds it; what is idle is closed soon. */
const PATIENT: HttpLimits = { ...HTTP_LIMITS, keepAliveTimeoutMs: 300, timeoutSweepMs: 50 }
/** Short enough to wait for. */
const SOON: HttpLimits = { ...PATIENT, headersTimeoutMs: 300, requestTimeoutMs: 600 }
/** A request whose headers have to arrive before its time is over. */
const LATER: HttpLimits = { ...PATIENT, headersTimeoutMs: 1_500, requestTimeoutMs: 1_500 }

const randomBytes = seededRandomBytes('http-server')
const running: HttpServer[] = []
afterEach(async () => {
  for (const { server } of running.splice(0)) {
    server.closeAllConnections()
    if (server.listening) server.close()
  }
})

/** What reaches the interface, and a handler that reads the body and answers. */
function recorder(answer: RequestListener = (_, response) => response.end('carried out')) {
  const reached: string[] = []
  const handle: RequestListener = (request, response) => {
    reached.push(`${request.method} ${request.url}`)
    request.on('error', () => {})
    request.on('end', () => {
      reached.push('whole')
      answer(request, response)
    })
    request.resume()
  }
  return { reached, handle }
}

async function start(handle: RequestListener, options: Partial<HttpServerOptions> = {}) {
  const http = createHttpServer(handle, { randomBytes, limits: PATIENT, ...options })
  running.push(http)
  http.server.listen(0, '127.0.0.1')
  await once(http.server, 'listening')
  return { ...http, url: `http://127.0.0.1:${(http.server.address() as AddressInfo).port}` }
}

/** Sends `bytes` on a new connection, and waits for its end. */
async function exchange(url: string, bytes: string, localAddress?: string): Promise<string> {
  const connection = await openRawConnection(url, localAddress)
  connection.send(bytes)
  return connection.closed()
}

/** A server with a connection, and the socket of that connection on its side. */
async function startWithConnection(handle: RequestListener) {
  const started = await start(handle, { limits: { ...PATIENT, restTimeoutMs: 200 } })
  const accepted = once(started.server, 'connection')
  const connection = await openRawConnection(started.url)
  const [socket] = await accepted
  return { ...started, connection, socket }
}

/** A handler that answers `text` when it is let. */
function answerWhenLet(text: string) {
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const answer: RequestListener = (_, response) => {
    asked.resolve()
    void answered.promise.then(() => response.end(text))
  }
  return { answer, isAsked: asked.promise, let: () => answered.resolve() }
}

const GET = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
/** An answer after which the connection ends. */
const LAST = { status: 200, headers: { connection: 'close' } }

const refusal = (status: number, errorType: string) => ({
  status,
  headers: {
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': expect.stringMatching(/^req_[0-9A-Za-z]{32}$/),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-ratelimit': '3000',
    'x-ratelimit-remaining': '3000',
    'ratelimit-policy': '"default";q=3000;w=60',
    ratelimit: '"default";r=3000;t=0',
    connection: 'close',
    date: expect.stringMatching(/GMT$/),
  },
  body: { success: false, error_type: errorType, message: expect.any(String), request_id: expect.any(String) },
})

/** What came back, of one request that is none: the one form of every error, and nothing of what was sent. */
function expectRefusal(text: string, status: number, errorType: string): void {
  const [answer, ...others] = answersIn(text)
  expect(others).toEqual([])
  expect({ ...answer, body: JSON.parse(answer?.body ?? '') }).toMatchObject(refusal(status, errorType))
  expect(text).not.toMatch(/x-powered-by|\r\nserver:|\bnode|\bkoa\b|HPE_|parse error|planted/i)
}

const NO_REQUEST: [what: string, bytes: string][] = [
  ['no request line', 'planted\r\n\r\n'],
  ['a method that is none', 'PLANTED / HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a version that is none', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n'],
  ['HTTP/0.9, which has neither version nor headers', 'GET /planted\r\n\r\n'],
  ['an address with a blank', 'GET /a planted HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['an address with a NUL', 'GET /pla\0nted HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a header with a NUL', 'GET / HTTP/1.1\r\nHost: x\r\nX-A: pla\0nted\r\n\r\n'],
  ['a header without a name', 'GET / HTTP/1.1\r\nHost: x\r\n: planted\r\n\r\n'],
  ['a header without a colon', 'GET / HTTP/1.1\r\nHost: x\r\nplanted\r\n\r\n'],
  ['a blank before the colon', 'GET / HTTP/1.1\r\nHost: x\r\nContent-Length : 7\r\n\r\nplanted'],
  ['a header that is folded', 'GET / HTTP/1.1\r\nHost: x\r\nX-A: a\r\n planted\r\n\r\n'],
  ['a lonely carriage return', 'GET / HTTP/1.1\r\nHost: x\r\nX-A: a\rplanted: b\r\n\r\n'],
  ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 7\r\nContent-Length: 8\r\n\r\nplanted1'],
  ['a length that is none', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -7\r\n\r\nplanted'],
  ['a length with a sign', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: +7\r\n\r\nplanted'],
  [
    'a length and an encoding of transfer',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 7\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nplanted',
  ],
  [
    'an encoding of transfer that does not end in chunks',
    'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, planted\r\n\r\n0\r\n\r\n',
  ],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['the greeting of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['no host', 'GET /planted HTTP/1.1\r\n\r\n'],
]

describe('what is no request', () => {
  test.each(NO_REQUEST)('is answered like every error and reaches nobody: %s', async (_, bytes) => {
    const { reached, handle } = recorder()
    const { url } = await start(handle)
    expectRefusal(await exchange(url, bytes), 400, 'request.bad-format')
    expect(reached.filter((line) => line === 'whole')).toEqual([])
  })

  test.each(['FOO / HTTP/1.1\r\nHost: x\r\n\r\n', 'get / HTTP/1.1\r\nHost: x\r\n\r\n'])(
    'by its method is told that, and not that it is no HTTP/1.1: %j',
    async (bytes) => {
      const { url } = await start(recorder().handle)
      const text = await exchange(url, bytes)
      expectRefusal(text, 400, 'request.bad-format')
      expect(text).toContain('a method that this interface does not know')
    },
  )

  test('has its end with the connection: what follows it is never carried out', async () => {
    const { reached, handle } = recorder()
    const { url } = await start(handle)
    const connection = await openRawConnection(url)
    connection.send('GET / HTTP/1.1\r\nbad header\r\n\r\n')
    connection.send('POST /smuggled HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n'.repeat(3))
    expectRefusal(await connection.closed(), 400, 'request.bad-format')
    expect(reached).toEqual([])
  })

  test('behind a request that is one gets no answer, and that one gets its own, which is the last', async () => {
    const held = answerWhenLet('its own')
    const { reached, handle } = recorder(held.answer)
    const { connection, socket } = await startWithConnection(handle)
    connection.send('GET /first HTTP/1.1\r\nHost: x\r\n\r\n')
    await held.isAsked
    const { bytesRead } = socket
    connection.send('planted\r\n\r\nPOST /smuggled HTTP/1.1\r\nHost: x\r\n\r\n')
    await waitFor(() => socket.bytesRead > bytesRead)
    held.let()
    expect(answersIn(await connection.closed())).toMatchObject([{ ...LAST, body: 'its own' }])
    expect(reached).toEqual(['GET /first', 'whole'])
  })

  test('a connection that is to become another is closed or goes on as it is', async () => {
    const { url } = await start(recorder().handle)
    expect(await exchange(url, 'CONNECT bank.example:443 HTTP/1.1\r\nHost: bank.example\r\n\r\n')).toBe('')
    const upgrade = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n'
    expect(answersIn(await exchange(url, upgrade))).toMatchObject([{ status: 200, body: 'carried out' }])
  })

  test('over https says that it wants to be asked by https only', async () => {
    const { url } = await start(recorder().handle, { isReachedByHttps: true })
    const [answer] = answersIn(await exchange(url, 'planted\r\n\r\n'))
    expect(answer?.headers['strict-transport-security']).toBe('max-age=31536000')
  })
})

test.each([
  ['an address', `GET /${'x'.repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
  ['a header', `GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'x'.repeat(17_000)}\r\n\r\n`],
  ['many headers', `GET / HTTP/1.1\r\nHost: x\r\n${'a:b\r\n'.repeat(5_000)}\r\n`],
  ['one header more than there may be', `GET / HTTP/1.1\r\nHost: x\r\n${'a:b\r\n'.repeat(100)}\r\n`],
])('a request that is too large is refused: %s', async (_, bytes) => {
  const { reached, handle } = recorder()
  const { url } = await start(handle)
  expectRefusal(await exchange(url, bytes), 431, 'request.headers-too-large')
  expect(reached).toEqual([])
})

describe('a request that takes too long', () => {
  test.each([
    ['its headers is cut off, however busy it looks', SOON, 'GET / HTTP/1.1\r\nHost: x\r\n', 'X-A: b\r\n', []],
    [
      'its body is cut off, and never carried out',
      LATER,
      'POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n',
      'x',
      ['POST /slow'],
    ],
  ])('to send %s', async (_, limits, head, drop, arrived) => {
    const { reached, handle } = recorder()
    const { url } = await start(handle, { limits })
    const connection = await openRawConnection(url)
    connection.send(head)
    const drip = setInterval(() => connection.socket.writable && connection.send(drop), 40)
    const text = await connection.closed()
    clearInterval(drip)
    expectRefusal(text, 408, 'request.timeout')
    expect(reached).toEqual(arrived)
  })

  test('to begin is closed without a word', async () => {
    const { url } = await start(recorder().handle, { limits: SOON })
    expect(await (await openRawConnection(url)).closed()).toBe('')
  })

  test('on a connection that is kept is one only after the connection was', async () => {
    const { url } = await start(recorder().handle)
    const connection = await openRawConnection(url)
    connection.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    // Node adds a second of its own to what it promises, for a request that is under way.
    const answers = answersIn(await connection.closed())
    expect(answers).toMatchObject([{ status: 200, headers: { connection: 'keep-alive' } }])
  })

  test('to be answered is not: whoever waits for a payment waits for it', async () => {
    const slow = recorder((_, response) => void sleep(2_000).then(() => response.end('late')))
    const { url } = await start(slow.handle, { limits: LATER })
    expect(answersIn(await exchange(url, GET))).toMatchObject([{ status: 200, body: 'late' }])
  })
})

/** Some reads of 64 KiB each, of what comes before the answer and after it; far below what is sent. */
const LITTLE = 1024 * 1024

describe('what is answered before its body has arrived', () => {
  const chunk = Buffer.from(`10000\r\n${'x'.repeat(65_536)}\r\n`)
  const answer = (response: ServerResponse) => void response.writeHead(200, { 'content-length': 5 }).end('early')
  const early: RequestListener = (_, response) => answer(response)
  const late: RequestListener = (_, response) => void sleep(50).then(() => answer(response))
  const paused: RequestListener = (request, response) => {
    request.once('data', () => {
      request.pause()
      answer(response)
    })
  }
  const endless = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000000\r\n\r\n'
  const chunked = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n'
  const kept = endless.replace('Host', 'Connection: keep-alive\r\nHost')
  const CASES: [what: string, handle: RequestListener, head: string, piece: Buffer | undefined][] = [
    ['at once', early, endless, undefined],
    ['a moment later', late, endless, undefined],
    ['in the middle of the body', paused, endless, undefined],
    ['and has chunks', early, chunked, chunk],
    ['and is a GET', early, endless.replace('POST', 'GET'), undefined],
    ['and is a HEAD', early, endless.replace('POST', 'HEAD'), undefined],
    ['and asks for the connection to be kept', early, kept, undefined],
    ['of HTTP/1.0', early, kept.replace('1.1', '1.0'), undefined],
  ]
  test.each(CASES)('ends with its answer, and little more is read: %s', async (_, handle, head, piece) => {
    const { connection, socket } = await startWithConnection(handle)
    connection.send(head)
    await flood(connection, piece)
    expect(answersIn(await connection.closed())).toMatchObject([LAST])
    expect(socket.bytesRead).toBeLessThan(LITTLE)
  })

  test('keeps the connection where the body is short', async () => {
    const { url } = await start((_, response) => void Promise.resolve().then(() => answer(response)))
    const request = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n'
    const answers = answersIn(await exchange(url, `${request}\r\n{}${request}Connection: close\r\n\r\n{}`))
    expect(answers).toMatchObject([{ body: 'early' }, { body: 'early' }])
  })

  test('and is short is waited for, no longer than for any other, and without a second answer', async () => {
    const { url } = await start(early, { limits: LATER })
    const text = await exchange(url, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{')
    expect(answersIn(text)).toMatchObject([{ status: 200, body: 'early' }])
  })

  test('also where it is no request, little more is read', async () => {
    const { connection, socket } = await startWithConnection(early)
    connection.send('planted\r\n\r\n')
    await flood(connection)
    expectRefusal(await connection.closed(), 400, 'request.bad-format')
    expect(socket.bytesRead).toBeLessThan(LITTLE)
  })

  test('also while an answer before it is still owed, little more is read', async () => {
    const slow: RequestListener = (_, response) => void sleep(500).then(() => response.end('owed'))
    const { connection, socket } = await startWithConnection(slow)
    connection.send('GET / HTTP/1.1\r\nHost: x\r\n\r\nplanted\r\n\r\n')
    await flood(connection)
    expect(answersIn(await connection.closed())).toMatchObject([{ status: 200, body: 'owed' }])
    expect(socket.bytesRead).toBeLessThan(LITTLE)
  })

  test('and waits to be asked for more than any route takes is not asked for it', async () => {
    const { url } = await start(early)
    const text = await exchange(
      url,
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 262145\r\nExpect: 100-continue\r\n\r\n',
    )
    expect(text).not.toContain('100 Continue')
    expect(answersIn(text)).toMatchObject([{ ...LAST, body: 'early' }])
  })
})

describe('a connection', () => {
  test('takes several requests at once and answers them in their order', async () => {
    const waits: Record<string, number> = { '/1': 80, '/2': 10, '/3': 0 }
    const { handle } = recorder(
      (request, response) => void sleep(waits[request.url ?? ''] ?? 0).then(() => response.end(request.url)),
    )
    const { url } = await start(handle)
    const connection = await openRawConnection(url)
    connection.send(['/1', '/2', '/3'].map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''))
    expect(answersIn(await connection.closed()).map(({ body }) => body)).toEqual(['/1', '/2', '/3'])
  })

  test('is asked to go on with its body where the client waits for that', async () => {
    const { reached, handle } = recorder()
    const { url } = await start(handle)
    const connection = await openRawConnection(url)
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n'
    connection.send(head)
    await waitFor(() => connection.text().startsWith('HTTP/1.1 100 Continue\r\n\r\n'))
    connection.send('{}')
    expect(answersIn(await connection.closed())).toMatchObject([{ status: 200, body: 'carried out' }])
    expect(reached).toEqual(['POST /', 'whole'])
  })

  describe('above the number that one address may have', () => {
    const limits = { ...HTTP_LIMITS, connectionsOfAddressMax: 2 }

    // Only Linux gives a machine all addresses that begin with 127.
    const onLinux = process.platform === 'linux' ? test : test.skip
    onLinux('is closed, and other addresses have theirs', async () => {
      const { url } = await start(recorder().handle, { limits })
      const two = [await openRawConnection(url), await openRawConnection(url)]
      expect(await exchange(url, '')).toBe('')
      expect(answersIn(await exchange(url, GET, '127.0.0.2'))).toMatchObject([{ status: 200 }])
      for (const { socket } of two) expect(socket.closed).toBe(false)
      for (const { socket } of two) socket.destroy()
    })

    test('is closed, from whichever network of a site of IPv6', () => {
      const server = new Server()
      shareByAddress(server, 2)
      const sockets = ['2001:db8:1:1::1', '2001:db8:1:2::1', '2001:db8:1:3::1', '2001:db8:2:1::1'].map(
        (remoteAddress) => Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress }),
      )
      for (const socket of sockets) server.emit('connection', socket)
      expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false, false, true, false])
    })

    test('is taken again when one of them has ended', async () => {
      const { url } = await start(recorder().handle, { limits })
      const [one, two] = [await openRawConnection(url), await openRawConnection(url)]
      for (const connection of [one, two]) {
        connection.send(GET)
        await connection.closed()
      }
      expect(answersIn(await exchange(url, GET))).toMatchObject([{ status: 200 }])
    })

    test('is the proxy that stands in front, and is taken', async () => {
      const { url } = await start(recorder().handle, { limits, trustedProxies: 1 })
      const opened = await Promise.all(Array.from({ length: 4 }, () => openRawConnection(url)))
      expect(answersIn(await exchange(url, GET))).toMatchObject([{ status: 200 }])
      for (const { socket } of opened) socket.destroy()
    })
  })

  test('above the number that a process takes is closed', async () => {
    const { url } = await start(recorder().handle, { limits: { ...HTTP_LIMITS, connectionsMax: 2 } })
    const two = [await openRawConnection(url), await openRawConnection(url)]
    expect(await (await openRawConnection(url)).closed()).toBe('')
    for (const { socket } of two) expect(socket.closed).toBe(false)
    for (const { socket } of two) socket.destroy()
  })
})

test.each([10, 5_000, 70_000, 300_000])(
  'an answer that comes before a body of %i bytes was read arrives, and the connection is not reset',
  async (length) => {
    const { url } = await start((_, response) => {
      response.writeHead(401, { connection: 'close', 'content-length': 2 }).end('no')
    })
    const answers = Array.from({ length: 8 }, async () => {
      const connection = await openRawConnection(url)
      const isReset = new Promise<boolean>((resolve) => {
        connection.socket.once('error', () => resolve(true))
        connection.socket.once('end', () => resolve(false))
      })
      connection.send(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`)
      connection.send('x'.repeat(length))
      return { isReset: await isReset, answers: answersIn(await connection.closed()) }
    })
    for (const answer of await Promise.all(answers)) {
      expect(answer).toMatchObject({ isReset: false, answers: [{ status: 401, body: 'no' }] })
    }
  },
)

test('a server that is about to stop serves on, and says with each answer that its connection ends', async () => {
  const held = answerWhenLet('in time')
  const { handle } = recorder((request, response) =>
    request.url === '/first' ? held.answer(request, response) : void response.end('as ever'),
  )
  const { url, leave } = await start(handle, { limits: HTTP_LIMITS })
  const [busy, idle] = [await openRawConnection(url), await openRawConnection(url)]
  busy.send('GET /first HTTP/1.1\r\nHost: x\r\n\r\n')
  await held.isAsked
  leave()
  for (const connection of [idle, await openRawConnection(url)]) {
    connection.send('GET /next HTTP/1.1\r\nHost: x\r\n\r\n')
    expect(answersIn(await connection.closed())).toMatchObject([{ ...LAST, body: 'as ever' }])
  }
  held.let()
  expect(answersIn(await busy.closed())).toMatchObject([{ ...LAST, body: 'in time' }])
})

describe('a server that stops', () => {
  test('answers what it has, says that the connection ends with it, and takes nothing new', async () => {
    const held = answerWhenLet('in time')
    const { reached, handle } = recorder(held.answer)
    const { url, drain } = await start(handle, { limits: HTTP_LIMITS })
    const [busy, idle] = [await openRawConnection(url), await openRawConnection(url)]
    busy.send('GET /last HTTP/1.1\r\nHost: x\r\n\r\n')
    await held.isAsked
    const stopped = drain()
    await idle.closed()
    await expect(openRawConnection(url)).rejects.toThrow('ECONNREFUSED')
    held.let()
    await stopped
    expect(answersIn(await busy.closed())).toMatchObject([{ ...LAST, body: 'in time' }])
    expect(reached).toEqual(['GET /last', 'whole'])
  })

  test('answers also what had not arrived whole, and ends that connection, too', async () => {
    const { reached, handle } = recorder()
    const { url, drain } = await start(handle, { limits: HTTP_LIMITS })
    const connection = await openRawConnection(url)
    connection.send('POST /half HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{')
    await waitFor(() => reached.length > 0)
    const stopped = drain()
    connection.send('}')
    await stopped
    expect(answersIn(await connection.closed())).toMatchObject([{ ...LAST, body: 'carried out' }])
  })
})

test('the limits fit each other', () => {
  const { headersTimeoutMs, requestTimeoutMs, idleSocketTimeoutMs, keepAliveTimeoutMs } = HTTP_LIMITS
  expect(headersTimeoutMs).toBeLessThan(requestTimeoutMs)
  // A payment is waited for during 30 s, and proxies keep their connections for 60 s.
  expect(idleSocketTimeoutMs).toBeGreaterThan(35_000)
  expect(keepAliveTimeoutMs).toBeGreaterThan(60_000)
})
