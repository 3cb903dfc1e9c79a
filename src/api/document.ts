import { openApiDocument } from '../http/openapi/document.ts'
import type { JsonSchema } from '../http/openapi/json-schema.ts'
import { SECTIONS } from './endpoints.ts'
import { webhooksSection } from './events/webhooks-section.ts'
import { INTRODUCTION } from './introduction.ts'
import { RULE } from './routing/rule-input.ts'
import { API_VERSION } from './service/service.ts'

/**
 * The document of our interface, which `GET /openapi.json` answers and clients are made of.
 *
 * @param isClosed refuses fields of answers that are not listed.
 */
export function interfaceDocument({ isClosed = false } = {}): JsonSchema {
  return openApiDocument(SECTIONS, {
    version: API_VERSION,
    introduction: INTRODUCTION,
    webhooks: webhooksSection(),
    inputParts: { RuleInput: { schema: RULE, description: 'A routing rule, as it is sent.', about: ['Rule'] } },
    isClosed,
  })
}
