import { expect, test } from '@jest/globals'
import { ownOrigin, serviceAddress } from '../../src/http/service-address.ts'

test.each([
  ['127.0.0.1', 3000, 'localhost:3000', 'http://localhost:3000'],
  ['127.0.0.1', 3000, 'LOCALHOST:3000', 'http://localhost:3000'],
  ['::ffff:127.0.0.1', 3000, '127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ['::1', 3000, '[::1]:3000', 'http://[::1]:3000'],
  ['127.0.0.1', 80, 'localhost', 'http://localhost'],
  ['10.0.0.5', 3000, '10.0.0.5:3000', 'http://10.0.0.5:3000'],
  // A name that is not one of the place where the connection has arrived.
  ['127.0.0.1', 3000, 'evil.example:3000', 'http://127.0.0.1:3000'],
  ['127.0.0.1', 3000, 'localhost:4000', 'http://127.0.0.1:3000'],
  ['127.0.0.1', 3000, 'localhost:3000/@evil.example', 'http://127.0.0.1:3000'],
  ['10.0.0.5', 3000, 'localhost:3000', 'http://10.0.0.5:3000'],
  ['::1', 3000, undefined, 'http://[::1]:3000'],
])('reached at %s, port %i, by the name %s, the service is at %s', (localAddress, localPort, host, address) => {
  const arrival = { socket: { localAddress, localPort }, headers: { host } }
  expect(serviceAddress({ publicUrl: undefined }, arrival)).toBe(address)
  expect(serviceAddress({ publicUrl: 'https://pay.example/api' }, arrival)).toBe('https://pay.example/api')
  expect(ownOrigin({ publicUrl: 'https://pay.example/api' }, arrival)).toBe('https://pay.example')
})
