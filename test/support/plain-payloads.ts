import type { HistoryJson } from './temporal.ts'

/** Support staff find payments by these; the server reads them. */
const IN_CLEAR_ON_PURPOSE = /\.searchAttributes\.indexedFields\./
/** Written by the SDK's core: name, number and times of a local activity. */
const OF_THE_SDK = /\.markerRecordedEventAttributes\.details\.data\./

/** The paths of payloads that everybody can read who sees the history. */
export function plainPayloads(history: HistoryJson): string[] {
  return walk(history, '').flatMap(({ path, value }) => {
    const { metadata } = value as { metadata?: { encoding?: string } }
    if (metadata?.encoding === undefined || IN_CLEAR_ON_PURPOSE.test(`${path}.`) || OF_THE_SDK.test(`${path}.`))
      return []
    const encoding = Buffer.from(metadata.encoding, 'base64').toString()
    return encoding === 'binary/encrypted' ? [] : [`${path}: ${encoding}`]
  })
}

/** The paths of failures of ours whose message or stack everybody can read. */
export function plainFailures(history: HistoryJson): string[] {
  return walk(history, '').flatMap(({ path, value }) => {
    if (!/\.(failure|cause)$/.test(path)) return []
    const { message, stackTrace } = value as { message?: string; stackTrace?: string }
    return message === 'Encoded failure' && !stackTrace ? [] : [`${path}: ${message}`]
  })
}

function walk(value: unknown, path: string): { path: string; value: object }[] {
  if (typeof value !== 'object' || value === null) return []
  return [{ path, value }, ...Object.entries(value).flatMap(([name, inner]) => walk(inner, `${path}.${name}`))]
}
