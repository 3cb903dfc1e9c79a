import { BODY_BYTES_MAX } from '../middleware/body.ts'

/** What a caller may use of the process before authentication. docs/security.md lists all of them. */
export interface HttpLimits {
  /** From the first byte, or from the connection without one, to the end of the headers. */
  headersTimeoutMs: number
  /** From the first byte to the end of the body. */
  requestTimeoutMs: number
  /** How long an idle connection is kept. */
  keepAliveTimeoutMs: number
  /** How long a connection may stall in the middle of an answer that the caller does not read. */
  idleSocketTimeoutMs: number
  /** The interval for checking the first two, and so their precision. */
  timeoutSweepMs: number
  /** The request line and all headers, in bytes. */
  headerBytesMax: number
  /** The number of header lines. */
  headersMax: number
  /** The largest announced body for which the server answers `100 Continue`. */
  expectedBytesMax: number
  /** How many bytes are still read of a request that is already answered or refused. */
  restBytesMax: number
  /** The time for that; then the connection ends. */
  restTimeoutMs: number
  /** Connections of one process at once. */
  connectionsMax: number
  /** The share of one address. */
  connectionsOfAddressMax: number
}

export const HTTP_LIMITS: HttpLimits = {
  // Headers are a packet or two. Ten seconds let a phone in a tunnel repeat them, and limit a slowloris attack.
  headersTimeoutMs: 10_000,
  // Enough for 64 KiB, the largest body from a page, at 26 kbit/s, slower than any mobile network in use. An invoice of 256
  // KiB comes from a server.
  requestTimeoutMs: 20_000,
  // Longer than the 60 s of nginx and clouds' load balancers: the proxy must close first, or it sends a request into a
  // closing connection.
  keepAliveTimeoutMs: 65_000,
  // Twice the 30 s of a waiting payment, during which its connection is idle.
  idleSocketTimeoutMs: 60_000,
  timeoutSweepMs: 1_000,
  // Node's default, and twice nginx's for one line: ids and keys need a few hundred.
  headerBytesMax: 16_384,
  // Apache httpd's limit. Node would drop the headers beyond its own limit and read the request without them.
  headersMax: 100,
  expectedBytesMax: BODY_BYTES_MAX,
  // A body of acceptable size is read to its end, so that its caller sees the answer and not a reset.
  restBytesMax: BODY_BYTES_MAX,
  // Some round trips, in which the answer arrives and the caller stops.
  restTimeoutMs: 1_000,
  // Each costs some 20 kB and a file descriptor; a process is as fast with thousands as with 200.
  connectionsMax: 4_000,
  // A shop's servers behind one address have hundreds at most.
  connectionsOfAddressMax: 1_000,
}
