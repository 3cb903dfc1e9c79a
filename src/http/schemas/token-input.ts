import type { CustomerTokenRow } from '../../persistence/entities/customer-token.ts'
import type { TargetRule } from '../../webhooks/target-problem.ts'
import type { Caller } from '../context.ts'
import type { Fields, ParsedBody } from '../middleware/body.ts'
import { readSource, type SourceReference } from '../payments/source.ts'
import { returnUrl } from './fields/address.ts'
import { preferredScheme } from './fields/card-scheme.ts'
import { metadata, optionalText, type Scalars, URL_LENGTH_MAX, withoutEffect } from './fields/fields.ts'
import { givenFields } from './fields/given.ts'
import { isIdentifier } from './fields/identifier.ts'
import { defineInput, type FieldCodes, type Problem, readInput } from './fields/input.ts'
import { webhookTargetProblems } from './fields/webhook-target.ts'
import { device, statementDescriptor } from './invoices/invoice-fields.ts'
import { deviceOf } from './invoices/invoice-groups.ts'

/** Source: ProcessOut's reference, fields of a token. */
const DESCRIPTION_LENGTH_MAX = 255

/** A continuation holds a whole request. */
const SOURCE_LENGTH_MAX = 8192

const anyId = (kind: 'invoice' | 'gatewayConfiguration', code: Problem['code']) =>
  optionalText(80, { holds: (value) => isIdentifier(kind, value), message: 'is not known to this project', code })

/** Client libraries describe the screen with it, which a token has no use for. */
const clientDevice = device.extend({
  request_origin: withoutEffect,
  app_color_depth: withoutEffect,
  app_java_enabled: withoutEffect,
  app_language: withoutEffect,
  app_screen_height: withoutEffect,
  app_screen_width: withoutEffect,
  app_timezone_offset: withoutEffect,
})

const tokenFields = ({ flag }: Scalars) => ({
  source: optionalText(SOURCE_LENGTH_MAX),
  set_default: flag.optional(),
  summary: optionalText(DESCRIPTION_LENGTH_MAX),
  description: optionalText(DESCRIPTION_LENGTH_MAX),
  metadata,
  return_url: returnUrl,
  cancel_url: returnUrl,
  webhook_url: optionalText(URL_LENGTH_MAX),
  gateway_configuration_id: anyId('gatewayConfiguration', 'resource.gateway-configuration.not-found'),
  preferred_scheme: preferredScheme,
  manual_invoice_cancellation: flag.optional(),
  verify: flag.optional(),
  verify_metadata: metadata,
  verify_statement_descriptor: statementDescriptor,
  invoice_id: anyId('invoice', 'resource.invoice.not-found'),
  invoice_return_url: returnUrl,
  device: clientDevice.optional(),
  // What a client proves itself with, and what its library can do; a server needs neither.
  client_secret: withoutEffect,
  enable_three_d_s_2: withoutEffect,
  third_party_sdk_version: withoutEffect,
  // Hints for gateways that store payment methods themselves.
  settings: withoutEffect,
})

const URL = { invalid: 'request.validation.invalid-url' } as const
const DESCRIPTION = { invalid: 'request.validation.invalid-description' } as const
const METADATA = { invalid: 'request.validation.invalid-metadata' } as const

const CODES: Readonly<Record<string, FieldCodes>> = {
  source: { invalid: 'request.source.invalid' },
  summary: DESCRIPTION,
  description: DESCRIPTION,
  metadata: METADATA,
  return_url: URL,
  cancel_url: URL,
  webhook_url: URL,
  invoice_return_url: URL,
  verify_metadata: METADATA,
  verify_statement_descriptor: DESCRIPTION,
  'device.channel': { invalid: 'request.validation.invalid-device-channel' },
}

/** What a client may say of a token: its source, and how that is verified. Source: ProcessOut's client libraries. */
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

export const TOKEN = defineInput(tokenFields, CODES)

/**
 * What a merchant says of a stored payment source, new or not: the columns that it names, the source that completes it,
 * and whether it is to be verified.
 */
export function readTokenInput(body: ParsedBody, caller: Caller, rule: TargetRule) {
  const { sandbox } = caller
  const input = readInput(TOKEN, body, (fields) => [
    ...sourceProblems(fields, sandbox),
    ...webhookTargetProblems(fields, 'webhook_url', caller, rule),
  ])
  const given = givenFields(input, body)
  const columns = {
    summary: given.summary,
    description: given.description,
    metadata: given.metadata,
    returnUrl: given.return_url,
    cancelUrl: given.cancel_url,
    webhookUrl: given.webhook_url,
    gatewayConfigurationId: given.gateway_configuration_id,
    preferredScheme: given.preferred_scheme,
    manualInvoiceCancellation: given.manual_invoice_cancellation,
  }
  return {
    source: input.source === null ? null : (readSource(input.source, { sandbox }) as TokenSource),
    setDefault: given.set_default ?? null,
    columns: Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)) as TokenColumns,
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

/** What a token can be made of. */
export type TokenSource = Extract<SourceReference, { kind: 'card' | 'gateway-request' }>

type TokenColumns = Partial<
  Pick<
    CustomerTokenRow,
    | 'summary'
    | 'description'
    | 'metadata'
    | 'returnUrl'
    | 'cancelUrl'
    | 'webhookUrl'
    | 'gatewayConfigurationId'
    | 'preferredScheme'
    | 'manualInvoiceCancellation'
  >
>

function sourceProblems({ source, verify }: Fields, sandbox: boolean): Problem[] {
  if (typeof source !== 'string' || source === '') return []
  const wrong = (message: string): Problem[] => [{ name: 'source', message, code: 'request.source.invalid' }]
  const reference = readSource(source, { sandbox })
  if (reference.kind === 'invalid') return wrong(reference.message)
  if (reference.kind === 'token' || reference.kind === 'customer')
    return wrong('must be a card, which is not a token yet')
  if (reference.kind === 'gateway-request' && (verify === true || verify === 'true' || verify === '1')) {
    return [{ name: 'verify', message: 'applies to cards only', code: 'service.not-supported' }]
  }
  return []
}
