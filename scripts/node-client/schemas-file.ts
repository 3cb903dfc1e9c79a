import { compile, type JSONSchema } from 'json-schema-to-typescript'
import { answerOf } from './answers.ts'
import type { Document } from './document.ts'

const NOTHING = { Done: { type: 'object', properties: { success: { const: true } }, required: ['success'] } }

/** The types of everything that the interface takes and answers. */
export async function schemasFile({ components, paths }: Document): Promise<string> {
  const answers = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ responses }) => responses[200].content?.['application/json'] !== undefined)
    .map(answerOf)
    .flatMap((answer) => (answer.kind === 'unnamed' ? [[answer.type, answer.schema] as const] : []))
  return typesOf({ ...components.schemas, ...NOTHING, ...Object.fromEntries(answers) })
}

/** A file with a type for each of these schemas, by its name. */
export async function typesOf(schemas: Readonly<Record<string, unknown>>): Promise<string> {
  const text = await compile({ definitions: tidy(schemas) } as JSONSchema, 'Schemas', {
    additionalProperties: false,
    bannerComment: '',
    ignoreMinAndMaxItems: true,
    style: { semi: false, singleQuote: true, printWidth: 120 },
    unreachableDefinitions: true,
  })
  return `// Made by \`npm run node-client\`.\n\n${withoutSources(text)}`
}

/** As the compiler of types reads it best. */
function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidy)
  if (typeof value !== 'object' || value === null) return value
  const { $ref, ...schema } = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, tidy(inner)]))
  if (typeof $ref === 'string') {
    const reference = { $ref: $ref.replace('#/components/schemas/', '#/definitions/') }
    // Beside something else a reference would become a type of its own.
    return Object.keys(schema).length === 0 ? reference : { ...schema, allOf: [reference] }
  }
  return schema
}

/** The compiler says of each type where it was found, which is the same for all of them; and it names the whole. */
function withoutSources(text: string): string {
  return text
    .replaceAll(
      /\n \*\n \* This interface was referenced by `Schemas`'s JSON-Schema\n \* via the `definition` "\w+"\./g,
      '',
    )
    .replaceAll(
      /\/\*\*\n \* This interface was referenced by `Schemas`'s JSON-Schema\n \* via the `definition` "\w+"\.\n \*\/\n/g,
      '',
    )
    .replace(/export interface Schemas \{[^}]*\}\n/, '')
    .trimStart()
}
