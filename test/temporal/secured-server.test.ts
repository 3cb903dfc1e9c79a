import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer as createHttp2Server } from 'node:http2'
import { type AddressInfo, connect, type Server } from 'node:net'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { readConfig } from '../../src/config.ts'
import { connectTemporal } from '../../src/temporal/connection.ts'
import { folderForFile } from '../support/for-file.ts'
import { server } from '../support/servers.ts'
import { quietRuntime } from '../support/temporal.ts'

const folder = folderForFile()
const file = (name: string) => join(folder, name)
const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' })

/** Signs a certificate of that name with the authority. */
function certify(name: string): void {
  writeFileSync(file(`${name}.ext`), `subjectAltName=DNS:${name}.example`)
  openssl(
    'req',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    `${name}.key`,
    '-out',
    `${name}.csr`,
    '-subj',
    `/CN=${name}`,
  )
  openssl(
    ...['x509', '-req', '-in', `${name}.csr`, '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '1'],
    ...['-extfile', `${name}.ext`, '-out', `${name}.pem`],
  )
}

beforeAll(() => {
  quietRuntime()
  openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-days',
    '1',
    '-subj',
    '/CN=ca',
  )
  for (const name of ['temporal', 'service']) certify(name)
})

const tls = {
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: file('ca.pem'),
  TEMPORAL_TLS_SERVER_NAME: 'temporal.example',
}
const client = {
  TEMPORAL_TLS_CLIENT_CERT_PATH: file('service.pem'),
  TEMPORAL_TLS_CLIENT_KEY_PATH: file('service.key'),
}
const portOf = async (listening: Server) => {
  if (!listening.listening) await once(listening, 'listening')
  return (listening.address() as AddressInfo).port
}
const own = () => ({ key: readFileSync(file('temporal.key')), cert: readFileSync(file('temporal.pem')) })
const reach = async (port: number, settings: Record<string, string>) => {
  const address = `127.0.0.1:${port}`
  const { temporalAccess } = readConfig({ TEMPORAL_ADDRESS: address, ...settings })
  const { clients, close } = await connectTemporal(address, temporalAccess)
  try {
    return await clients.sandbox.workflowService.getSystemInfo({})
  } finally {
    await close()
  }
}

describe('a Temporal that somebody else runs', () => {
  test('is reached with a certificate of the service, and by nobody without one', async () => {
    const { address } = await server('temporal')
    const behind = Number(address.split(':').at(-1))
    const options = { ...own(), ca: readFileSync(file('ca.pem')), requestCert: true, ALPNProtocols: ['h2'] }
    const front = createServer(options, (socket) => {
      const through = connect(behind, '127.0.0.1')
      for (const end of [socket, through]) end.on('error', () => undefined)
      socket.pipe(through).pipe(socket)
    }).listen(0, '127.0.0.1')
    front.on('tlsClientError', () => undefined)
    const port = await portOf(front)

    expect(await reach(port, { ...tls, ...client })).toMatchObject({ serverVersion: expect.any(String) })
    await expect(reach(port, tls)).rejects.toThrow()
    await expect(reach(port, {})).rejects.toThrow()
    await expect(reach(port, { ...client, TEMPORAL_TLS: 'true' })).rejects.toThrow()
    await expect(reach(port, { ...tls, ...client, TEMPORAL_TLS_SERVER_NAME: 'other.example' })).rejects.toThrow()
    front.close()
  })

  test('is told the API key, over TLS', async () => {
    const keys: unknown[] = []
    const cloud = createHttp2Server().on('stream', (stream, headers) => {
      keys.push(headers.authorization)
      stream.respond({ ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '16' }, { endStream: true })
    })
    cloud.listen(0, '127.0.0.1')
    const inside = await portOf(cloud)
    const front = createServer({ ...own(), ALPNProtocols: ['h2'] }, (socket) => {
      const through = connect(inside, '127.0.0.1')
      for (const end of [socket, through]) end.on('error', () => undefined)
      socket.pipe(through).pipe(socket)
    }).listen(0, '127.0.0.1')
    await reach(await portOf(front), { ...tls, TEMPORAL_API_KEY: 'planted' }).catch(() => undefined)
    expect(new Set(keys)).toEqual(new Set(['Bearer planted']))
    front.close()
    cloud.close()
  })
})
