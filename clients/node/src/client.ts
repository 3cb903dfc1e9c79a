import { configurationOf } from './configuration.ts'
import { Resources } from './generated/resources.ts'
import type { HoldfastOptions } from './options.ts'
import { Transport } from './transport.ts'

/** The service, to a program that holds a secret key. */
export class Holdfast extends Resources {
  /** @throws TypeError that names the option that is wrong. */
  constructor(options: HoldfastOptions) {
    super(new Transport(configurationOf(options)))
  }
}
