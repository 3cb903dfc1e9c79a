import { createHash } from 'node:crypto'
import type { Keys } from '../../src/vault/keys.ts'

const key = (name: string): Buffer => createHash('sha256').update(`test key ${name}`).digest()

/** Keys for tests only: anyone can derive them. */
export const TEST_KEYS: Keys = {
  cardNumber: { current: 'n1', keys: new Map([['n1', key('card number')]]) },
  securityCode: { current: 'c1', keys: new Map([['c1', key('security code')]]) },
  payload: { current: 'p1', keys: new Map([['p1', key('payload')]]) },
  fingerprint: key('fingerprint'),
  apiSecretHash: key('api secret hash'),
  clientSecret: key('client secret'),
}
