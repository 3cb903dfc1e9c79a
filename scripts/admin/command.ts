/** What a command gets beside its operands. */
export interface AdminContext {
  say: (line: string) => void
  gatewayOperationId: string | null
}

/** One thing that an operator can do. */
export interface AdminCommand {
  /** The two words that it is called by. */
  name: string
  usage: string
  help: string
  /** How many operands follow the name. */
  operands: number
  run(operands: readonly string[], context: AdminContext): Promise<void>
}
