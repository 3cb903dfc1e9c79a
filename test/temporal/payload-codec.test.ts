import { randomBytes } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { defaultPayloadConverter, type Payload, type SerializationContext } from '@temporalio/common'
import { createPayloadCodec, ForeignPayloadError } from '../../src/temporal/payload-codec.ts'
import { VaultError } from '../../src/vault/cipher.ts'
import type { KeyRing } from '../../src/vault/keys.ts'

const ringOf = (...ids: string[]): KeyRing => ({
  current: ids.at(-1) ?? '',
  keys: new Map(ids.map((id) => [id, randomBytes(32)])),
})
const contextOf = (workflowId: string): SerializationContext => ({ type: 'workflow', namespace: 'live', workflowId })
const ADA = contextOf('payment-iv_ada')
const payloadOf = (value: unknown): Payload => defaultPayloadConverter.toPayload(value) as Payload
const decodedValue = (payload: Payload | undefined) => defaultPayloadConverter.fromPayload(payload as Payload)
const textOf = (payload: Payload | undefined) => Buffer.from(JSON.stringify(payload)).toString()

async function encrypted(ring: KeyRing, value: unknown, context?: SerializationContext): Promise<Payload> {
  const [payload] = await createPayloadCodec({ payload: ring }, { encrypts: true }).encode([payloadOf(value)], context)
  return payload as Payload
}

describe('the payload codec', () => {
  test('encrypts, names the key and the workflow in clear, and gives the value back', async () => {
    const ring = ringOf('old', 'new')
    const payload = await encrypted(ring, { orderId: 'of Ada Lovelace' }, ADA)
    expect(Buffer.from(payload.data ?? []).toString('latin1')).not.toContain('Lovelace')
    const metadata = Object.entries(payload.metadata ?? {}).map(([name, value]) => [
      name,
      Buffer.from(value).toString(),
    ])
    expect(Object.fromEntries(metadata)).toEqual({
      encoding: 'binary/encrypted',
      'encryption-key-id': 'new',
      'encryption-workflow-id': 'payment-iv_ada',
    })
    const [decoded] = await createPayloadCodec({ payload: ring }, { encrypts: true }).decode([payload], ADA)
    expect(decodedValue(decoded)).toEqual({ orderId: 'of Ada Lovelace' })
    expect(textOf(await encrypted(ring, 'twice', ADA))).not.toBe(textOf(await encrypted(ring, 'twice', ADA)))
  })

  test('refuses a payload of another workflow, also one whose label was changed', async () => {
    const ring = ringOf('k')
    const codec = createPayloadCodec({ payload: ring }, { encrypts: true })
    const payload = await encrypted(ring, 'of Ada', ADA)
    await expect(codec.decode([payload], contextOf('payment-iv_bob'))).rejects.toThrow(
      new ForeignPayloadError('A payload of payment-iv_ada was found in payment-iv_bob.'),
    )
    const relabelled = {
      ...payload,
      metadata: { ...payload.metadata, 'encryption-workflow-id': Buffer.from('payment-iv_bob') },
    }
    await expect(codec.decode([relabelled], contextOf('payment-iv_bob'))).rejects.toThrow(VaultError)
    await expect(codec.decode([relabelled])).rejects.toThrow(VaultError)
    const ofNobody = await encrypted(ring, 'of nobody')
    await expect(codec.decode([ofNobody], ADA)).rejects.toThrow('A payload of no workflow was found in payment-iv_ada.')
  })

  test('binds what an activity gets and gives to its workflow as well', async () => {
    const ring = ringOf('k')
    const codec = createPayloadCodec({ payload: ring }, { encrypts: true })
    const activity = { type: 'activity', namespace: 'live', workflowId: 'payment-iv_ada', isLocal: true } as const
    const payload = await encrypted(ring, 'a result', activity)
    expect(decodedValue((await codec.decode([payload], ADA))[0])).toBe('a result')
    await expect(codec.decode([payload], { ...activity, workflowId: 'payment-iv_bob' })).rejects.toThrow(
      ForeignPayloadError,
    )
  })

  test('decrypts with every key of the ring, and says which one is missing', async () => {
    const ring = ringOf('old')
    const payload = await encrypted(ring, 'from before the rotation', ADA)
    const rotated = { current: 'new', keys: new Map([...ring.keys, ['new', randomBytes(32)]]) }
    const [decoded] = await createPayloadCodec({ payload: rotated }, { encrypts: true }).decode([payload], ADA)
    expect(decodedValue(decoded)).toBe('from before the rotation')
    await expect(
      createPayloadCodec({ payload: ringOf('new') }, { encrypts: true }).decode([payload], ADA),
    ).rejects.toThrow(new VaultError('There is no payload key with the id "old".'))
  })

  test('refuses a payload of which a bit was changed, without a word of it', async () => {
    const ring = ringOf('k')
    const codec = createPayloadCodec({ payload: ring }, { encrypts: true })
    const payload = await encrypted(ring, 'secret words', ADA)
    for (const at of [0, 12, 28, (payload.data?.length ?? 1) - 1]) {
      const data = Buffer.from(payload.data ?? [])
      data[at] = (data[at] ?? 0) ^ 1
      const refused = await codec.decode([{ ...payload, data }], ADA).catch((error: Error) => error)
      expect(refused).toEqual(
        new VaultError('The encrypted payload of payment-iv_ada was changed, or belongs elsewhere.'),
      )
    }
  })

  test('reads what is plain and what is encrypted, whether it encrypts or not', async () => {
    const ring = ringOf('k')
    for (const encrypts of [true, false]) {
      const codec = createPayloadCodec({ payload: ring }, { encrypts })
      const decoded = await codec.decode([payloadOf('plain'), await encrypted(ring, 'encrypted', ADA)], ADA)
      expect(decoded.map(decodedValue)).toEqual(['plain', 'encrypted'])
    }
    const plain = [payloadOf('plain')]
    expect(await createPayloadCodec({ payload: ring }, { encrypts: false }).encode(plain, ADA)).toEqual(plain)
  })
})
