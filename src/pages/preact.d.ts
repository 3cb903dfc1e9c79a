/**
 * What the pages use of Preact, in place of the types that come with it: these declare all names of browsers in the whole
 * service, where a forgotten `name` or `status` would then be one of them.
 */
export interface VNode<_Properties = object> {
  type: unknown
  props: object
}

export function createElement(type: string, properties: object | null, ...children: unknown[]): VNode
