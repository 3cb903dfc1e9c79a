import { otherKindIn } from '../../../domain/identifiers.ts'
import type { Caller } from '../../http/context.ts'
import { columnsOf, only } from '../../http/input/columns.ts'
import { defineInput, givenFields, type Problem, problem, readInput } from '../../http/input/input.ts'
import { webhookTargetProblems } from '../../http/input/webhook-target.ts'
import type { Fields, ParsedBody } from '../../http/middleware/body.ts'
import { returnUrl } from '../../objects/addresses.ts'
import { takenFields } from '../../objects/fields.ts'
import { statementDescriptor } from '../../objects/invoice.ts'
import { DEVICE } from '../../objects/invoice-groups.ts'
import { group, isTrue, metadata, optionalId, optionalText, type Scalars, withoutEffect } from '../../objects/taken.ts'
import { TOKEN_COLUMNS, tokenInput } from '../../objects/token.ts'
import type { TargetRule } from '../../webhooks/target-problem.ts'
import { deviceOf } from '../invoices/invoice-input.ts'
import { readSource, type SourceReference } from '../payments/source.ts'

/** A continuation contains a whole request. */
const SOURCE_LENGTH_MAX = 8192

const UNKNOWN = 'is not known to this project'

/** Client libraries describe the screen with it, which tokens do not use. */
const clientDevice = (scalars: Scalars) =>
  group({
    ...takenFields(DEVICE, scalars),
    request_origin: withoutEffect,
    app_color_depth: withoutEffect,
    app_java_enabled: withoutEffect,
    app_language: withoutEffect,
    app_screen_height: withoutEffect,
    app_screen_width: withoutEffect,
    app_timezone_offset: withoutEffect,
  })

const tokenFields = (scalars: Scalars) => ({
  source: optionalText(SOURCE_LENGTH_MAX, { invalid: 'request.source.invalid' }).describe(
    'A card that was not used (`card_…`). Without it the token waits for one. Of a token whose verification waits for the customer: the answer to `customer_action` (`gway_req_…`).',
  ),
  set_default: scalars.flag.optional().describe('Whether the token becomes the default one of its customer.'),
  ...tokenInput(scalars),
  verify: scalars.flag.optional().describe('Whether the issuer is asked about the card, without a charge.'),
  verify_metadata: metadata.describe('The metadata of the invoice that verifies it.'),
  verify_statement_descriptor: statementDescriptor.describe('What the statement says of the verification.'),
  invoice_id: optionalId('invoice', UNKNOWN, 'resource.invoice.not-found').describe(
    'An unpaid invoice of yours with `verification`, by which it is verified; one of nothing by default.',
  ),
  invoice_return_url: returnUrl.describe('Where the customer comes back to after the verification.'),
  device: clientDevice(scalars).optional(),
  enable_three_d_s_2: scalars.flag
    .optional()
    .describe(
      'You show the steps of a verification yourself, by `customer_action`; otherwise it names a page for the customer.',
    ),
  // The client's proof and the version of its library; a server needs neither.
  client_secret: withoutEffect,
  third_party_sdk_version: withoutEffect,
  // Hints for gateways that store payment methods themselves.
  settings: withoutEffect,
  provision_network_token: withoutEffect,
})

/** The fields that a client may set: the source, and its verification. Source: ProcessOut's client libraries. */
export const CLIENT_TOKEN_FIELDS: readonly string[] = [
  'source',
  'preferred_scheme',
  'verify',
  'invoice_id',
  'invoice_return_url',
  'return_url',
  'cancel_url',
  'device',
  'settings',
  'client_secret',
  'enable_three_d_s_2',
  'third_party_sdk_version',
]

export const TOKEN = defineInput(tokenFields, { 'device.ip_address': {} })

/** The given columns, the source that completes the token, and the options of its verification. */
export function readTokenInput(body: ParsedBody, caller: Caller, rule: TargetRule) {
  const { sandbox } = caller
  const input = readInput(TOKEN, body, (fields) => [
    ...sourceProblems(fields, sandbox),
    ...webhookTargetProblems(fields, 'webhook_url', caller, rule),
  ])
  const given = givenFields(input, body)
  const source = input.source === null ? null : (readSource(input.source, { sandbox }) as TokenSource | Answer)
  return {
    source: source?.kind === 'continuation' ? null : source,
    /** The answer to an action of the customer, in place of a source. */
    continuation: source?.kind === 'continuation' ? source.sent : null,
    /** The caller shows the actions of the customer itself; clients always do. */
    handlesActions: input.enable_three_d_s_2 === true || caller.kind === 'client',
    setDefault: given.set_default ?? null,
    columns: columnsOf(only(given, TOKEN_COLUMNS)),
    verification:
      input.verify === true
        ? {
            invoiceId: input.invoice_id,
            metadata: input.verify_metadata,
            statementDescriptor: input.verify_statement_descriptor,
            returnUrl: input.invoice_return_url,
            deviceChannel: input.device?.channel ?? 'web',
            device: input.device === undefined ? null : deviceOf(input.device),
          }
        : null,
  }
}

export type TokenInput = ReturnType<typeof readTokenInput>

type Answer = Extract<SourceReference, { kind: 'continuation' }>

/** The possible sources of a token. */
export type TokenSource = Extract<SourceReference, { kind: 'card' | 'gateway-request' }>

function sourceProblems({ source, verify }: Fields, sandbox: boolean): Problem[] {
  if (typeof source !== 'string' || source === '') return []
  const wrong = (message: string) => [problem('source', message, 'request.source.invalid')]
  const reference = readSource(source, { sandbox })
  const other = otherKindIn(source, 'card')
  if (other !== null) return wrong(other)
  if (reference.kind === 'invalid') return wrong(reference.message)
  if (reference.kind === 'gateway-request' && isTrue(verify))
    return [problem('verify', 'applies to cards only', 'service.not-supported')]
  return []
}
