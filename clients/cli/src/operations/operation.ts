/** A field of a request body, which a command takes as an option. */
export interface Field {
  name: string
  kind: 'text' | 'number' | 'boolean' | 'list' | 'json'
  about: string
  choices?: readonly string[]
  isRequired?: true
}

/** An operation of the interface, as a command carries it out with the client for Node. */
export interface Operation {
  /** Of the client, such as `customers.tokens.create`; the command is `customers tokens create`. */
  method: string
  summary: string
  /** Its arguments before the parameters, such as `customerId`. */
  ids: readonly string[]
  isList: boolean
  takesBody: boolean
  /** Whether it carries an idempotency key. */
  changes: boolean
  expands: boolean
  fields: readonly Field[]
  /** Fields that no argument may hold, since other people of the machine see those. */
  secretFields: readonly string[]
  example: { ids: readonly string[]; body: Readonly<Record<string, unknown>> }
}

/** `gatewayConfigurations` and `capture_amount` as words of a command line. */
export const kebab = (name: string) =>
  name.replaceAll('_', '-').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** The words of the command, below `holdfast`. */
export const wordsOf = ({ method }: Operation) => method.split('.').map(kebab)
