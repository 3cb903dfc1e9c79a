import { z } from 'zod'
import { ERRORS, type ErrorCode } from '../../../domain/errors.ts'
import type { EndpointAccess } from '../route-access.ts'
import { API_VERSION } from '../routes/service.ts'
import { namedObjects } from './answers/objects.ts'
import { errorExample } from './examples/answers.ts'
import { HEADERS } from './headers.ts'
import { INTRODUCTION } from './introduction.ts'
import { type JsonSchema, jsonSchemasOf } from './json-schema.ts'
import { operationObject } from './operation-object.ts'
import { OPERATIONS } from './operations/index.ts'
import { TAGS } from './operations/operation.ts'
import { SHARED_PARAMETERS } from './parameters.ts'
import { requestSchemas } from './request-schemas.ts'
import { sharedResponses } from './responses.ts'
import { webhooksSection } from './webhooks-section.ts'

interface DocumentOptions {
  /** Refuse fields of answers that are not listed; false in what merchants get, so that fields can be added. */
  isClosed?: boolean
}

/**
 * The document of the interface by OpenAPI 3.1.
 *
 * @throws Error for an endpoint that no operation describes.
 */
export function openApiDocument(
  endpoints: readonly EndpointAccess[],
  { isClosed = false }: DocumentOptions = {},
): JsonSchema {
  const answers = new Set(Object.values(OPERATIONS).flatMap((operation) => Object.values(operation.answers)))
  const { objects, schemaOf } = schemasOfAnswers([...answers], isClosed)
  const paths: Record<string, Record<string, JsonSchema>> = {}
  for (const endpoint of endpoints) {
    const { method, path } = endpoint
    const operation = OPERATIONS[`${method} ${path}`]
    if (operation === undefined) throw new Error(`The document does not describe ${method} ${path}.`)
    const address = path.replaceAll(/:(\w+)/g, '{$1}')
    paths[address] ??= {}
    paths[address][method.toLowerCase()] = operationObject(endpoint, operation, schemaOf)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Holdfast',
      version: API_VERSION,
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    // Where the document was loaded from.
    servers: [{ url: '/' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: webhooksSection(),
    components: {
      schemas: { ...objects, ...requestSchemas(objects) },
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
