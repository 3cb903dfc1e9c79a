import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from '@jest/globals'
import { requireFreePort } from '../../src/embedded/ports.ts'

test('a port that another program has is told in one sentence that names the setting', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  await expect(requireFreePort(port, '127.0.0.1', 'PORT')).rejects.toThrow(
    `Port ${port} on 127.0.0.1 is taken by another program; end that program or set PORT to a free port, or set DATA_DIR, PORT and TEMPORAL_UI_PORT for a second instance.`,
  )
  await expect(requireFreePort(port, '127.0.0.1', 'METRICS_PORT')).rejects.toThrow(/set METRICS_PORT to a free port\.$/)
  other.close()
})

test('an address of another machine is not taken for a port that is taken', async () => {
  // Source: RFC 5737, addresses for documentation, which no machine has.
  await expect(requireFreePort(4100, '203.0.113.5', 'PORT')).rejects.toThrow(
    'Cannot listen on port 4100 of 203.0.113.5 (EADDRNOTAVAIL); check HOST and PORT.',
  )
  await expect(requireFreePort(4100, '203.0.113.5', 'METRICS_PORT')).rejects.toThrow(/METRICS_HOST and METRICS_PORT/)
})
