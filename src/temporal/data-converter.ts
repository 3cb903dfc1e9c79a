import { fileURLToPath } from 'node:url'
import type { DataConverter } from '@temporalio/common'
import type { Keys } from '../vault/keys.ts'
import { createPayloadCodec } from './payload-codec.ts'

/** For the bundle of the workflows of a process that encrypts. */
export const FAILURE_CONVERTER_PATH = fileURLToPath(new URL('./failure-converter.ts', import.meta.url))

export interface PayloadAccess {
  keys: Pick<Keys, 'payload'>
  /** Whether what this process sends to Temporal is encrypted. What is encrypted there is read either way. */
  encrypts: boolean
}

/** How clients and workers turn values into what Temporal keeps, and back. */
export function createDataConverter({ keys, encrypts }: PayloadAccess): DataConverter {
  return {
    payloadCodecs: [createPayloadCodec(keys, { encrypts })],
    ...(encrypts && { failureConverterPath: FAILURE_CONVERTER_PATH }),
  }
}
