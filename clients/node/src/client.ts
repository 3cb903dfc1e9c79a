import { configurationOf } from './configuration.ts'
import { Resources } from './generated/resources.ts'
import type { Answered } from './last-response.ts'
import type { HoldfastOptions, RawOptions } from './options.ts'
import { METHODS, type Method, Transport } from './transport.ts'

/** The service, to a program that holds a secret key. */
export class Holdfast extends Resources {
  readonly #transport: Transport

  /** @throws TypeError that names the option that is wrong. */
  constructor(options: HoldfastOptions) {
    const transport = new Transport(configurationOf(options))
    super(transport)
    this.#transport = transport
  }

  /**
   * An operation that has no method in this version yet, with the same retries, idempotency keys and errors. It gives the
   * whole answer, which must be JSON.
   *
   * @param path below `apiUrl`, such as `/invoices/iv_…`, with every id encoded.
   * @throws TypeError for what is no such method or path; nothing is sent.
   */
  async raw<T extends object = Record<string, unknown>>(
    method: Method,
    path: string,
    { params, ...options }: RawOptions = {},
  ): Promise<Answered<T>> {
    if (!METHODS.includes(method)) throw new TypeError(`The method must be one of ${METHODS.join(', ')}.`)
    return this.#transport.call<T>(`${method} ${checkedPath(path)}`, [], params, options)
  }
}

/** The credentials go to no other server, and to no other address than the one that was written. */
function checkedPath(path: string): `/${string}` {
  // The characters of a path as RFC 3986 has them.
  const isPath = /^\/[\w.~!$&'()*+,;=:@/%-]*$/.test(path)
  const isPlain = isPath && path.split('/').every((segment) => !/^(?:\.|%2e){1,2}$/i.test(segment))
  if (!isPlain) throw new TypeError('The path must be /… without query and dots; encode ids in it, and give params.')
  return path as `/${string}`
}
