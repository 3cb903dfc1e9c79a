import { openApiDocument } from '../http/openapi/document.ts'
import type { JsonSchema } from '../http/openapi/json-schema.ts'
import { amountText } from '../objects/taken.ts'
import { SECTIONS } from './endpoints.ts'
import { webhooksSection } from './events/webhooks-section.ts'
import { INTRODUCTION } from './introduction.ts'
import { RULE, RULE_INPUTS } from './routing/rule-input.ts'
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
    inputParts: {
      AmountInput: { schema: amountText, description: 'An amount, such as `"29.00"`; a number is taken as well.' },
      ...Object.fromEntries(
        Object.entries({ RuleInput: RULE, ...RULE_INPUTS }).map(([name, schema]) => [
          name,
          { schema, description: 'A routing rule, as it is sent.', about: [name.replace('Input', '')] },
        ]),
      ),
    },
    isClosed,
  })
}
