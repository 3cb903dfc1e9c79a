import { base64 } from '../bytes.ts'

/**
 * Sources by which a payment goes on after an action of the customer. The server compares `url` with the action that it has
 * asked for, and fetches nothing. Source: ProcessOut's client libraries.
 */
const continuation = (content: object) => `gway_req_${base64(JSON.stringify(content))}`

/** The bank's fingerprint page has not come back within its 10 s. */
export function fingerprintTimedOut(value: string): string {
  return continuation({
    url: value,
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'threeDSMethodData={"threeDS2FingerprintTimeout":true}',
  })
}

/** The customer has closed the window of the bank. */
export function canceledByCustomer(value: string): string {
  return continuation({ url: value, body: 'canceled=true' })
}
