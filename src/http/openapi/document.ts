import { z } from 'zod'
import { ERRORS, type ErrorCode } from '../../../domain/errors.ts'
import { namedObjects } from '../../objects/object.ts'
import type { Section } from '../endpoint.ts'
import { HEADERS } from './headers.ts'
import { type JsonSchema, jsonSchemasOf } from './json-schema.ts'
import { operationObject } from './operation-object.ts'
import { SHARED_PARAMETERS } from './parameters.ts'
import { type InputPart, requestSchemas } from './request-schemas.ts'
import { errorExample, sharedResponses } from './responses.ts'

/** What the document says beside its endpoints. */
export interface DocumentFrame {
  version: string
  introduction: string
  webhooks: JsonSchema
  inputParts: Readonly<Record<string, InputPart>>
  /** Refuse fields of answers that are not listed; false in what merchants get, so that fields can be added. */
  isClosed: boolean
}

/** The document of the interface by OpenAPI 3.1. */
export function openApiDocument(sections: readonly Section[], frame: DocumentFrame): JsonSchema {
  const endpoints = sections.flatMap((section) => section.endpoints)
  const answers = new Set(endpoints.flatMap((endpoint) => Object.values(endpoint.answers.bodies)))
  const { objects, schemaOf } = schemasOfAnswers([...answers], frame.isClosed)
  const paths: Record<string, Record<string, JsonSchema>> = {}
  for (const endpoint of endpoints) {
    const address = endpoint.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[address] ??= {}
    paths[address][endpoint.httpMethod.toLowerCase()] = operationObject(endpoint, schemaOf)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Holdfast',
      version: frame.version,
      description: frame.introduction,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    // Where the document was loaded from.
    servers: [{ url: '/' }],
    tags: sections.map(({ tag, says }) => ({ name: tag, description: says })),
    paths,
    webhooks: frame.webhooks,
    components: {
      schemas: { ...objects, ...requestSchemas(endpoints, frame.inputParts, objects) },
      responses: sharedResponses(),
      examples: errorExamples(paths),
      headers: HEADERS,
      parameters: SHARED_PARAMETERS,
      securitySchemes: SECURITY,
    },
  }
}

/** The objects of the document by their names, and the schemas of answers, which refer to them and have no names. */
function schemasOfAnswers(answers: readonly z.ZodType[], isClosed: boolean) {
  const nameOf = new Map(answers.map((schema, index) => [schema, `answer ${index}`]))
  // By themselves, answers that are named objects would have two names.
  const unnamed = [...nameOf].map(([schema, name]) => [name, z.lazy(() => schema)] as const)
  const named = namedObjects()
  const made = jsonSchemasOf(new Map([...named, ...unnamed]), { io: 'output', isClosed })
  return {
    objects: Object.fromEntries(Object.entries(made).filter(([name]) => named.has(name))),
    schemaOf: (schema: z.ZodType): JsonSchema => made[nameOf.get(schema) ?? ''] ?? {},
  }
}

/** Of the codes that operations name; many name the same. */
function errorExamples(paths: JsonSchema): JsonSchema {
  const text = JSON.stringify({ paths, shared: sharedResponses() })
  const codes = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => text.includes(`"#/components/examples/${code}"`))
  return Object.fromEntries(codes.map((code) => [code, { summary: code, value: errorExample(code) }]))
}

const SECURITY = {
  secretKey: {
    type: 'http',
    scheme: 'basic',
    description:
      'Your server: the user is the id of the project, `proj_…` or in the sandbox `test-proj_…`, the password a secret key. The key decides the environment.',
  },
  clientKey: {
    type: 'http',
    scheme: 'basic',
    description:
      'A page or an app, which can keep no secret: the user is the id of the project, whose prefix decides the environment, and the password is empty. Answers show less.',
  },
}
