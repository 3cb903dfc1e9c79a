interface Schema {
  description?: string
  anyOf?: { $ref?: string; type?: string }[]
}

interface Document {
  components: { schemas: Record<string, { properties?: Record<string, Schema> }> }
}

const isRelation = ({ anyOf = [] }: Schema) =>
  anyOf.length === 2 && anyOf[1]?.type === 'null' && anyOf[0]?.$ref?.endsWith('AmountInput') === false

/**
 * The document for ogen 1.25, which makes no types that contain one another: an object or null, and what a negation negates, may
 * be anything.
 */
export function withoutCycles(whole: object): object {
  const document = structuredClone(whole) as Document
  for (const [name, { properties = {} }] of Object.entries(document.components.schemas))
    for (const [field, schema] of Object.entries(properties))
      if (isRelation(schema) || (name.endsWith('Negation') && field === 'condition'))
        properties[field] = { description: schema.description ?? '' }
  return document
}
