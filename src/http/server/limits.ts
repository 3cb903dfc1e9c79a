import { BODY_BYTES_MAX } from '../middleware/body.ts'

/**
 * What one caller may hold of the process before anybody knows who it is. All of them are told in docs/security.md.
 */
export interface HttpLimits {
  /** From the first byte, or from the connection where none comes, to the end of the headers. */
  headersTimeoutMs: number
  /** From the first byte to the end of the body. */
  requestTimeoutMs: number
  /** How long a connection without a request is kept. */
  keepAliveTimeoutMs: number
  /** How long a connection may stand still in the middle of an answer that nobody takes. */
  idleSocketTimeoutMs: number
  /** How often the first two are looked after, and so how exact they are. */
  timeoutSweepMs: number
  /** The request line and all headers, in bytes. */
  headerBytesMax: number
  /** Lines of headers. */
  headersMax: number
  /** What a caller who waits to be asked for its body may announce and is asked for. */
  expectedBytesMax: number
  /** What is still read of a request that is answered or refused already, in bytes. */
  restBytesMax: number
  /** And for how long; then the connection ends. */
  restTimeoutMs: number
  /** Connections of one process at once. */
  connectionsMax: number
  /** Of these, how many one address may have. */
  connectionsOfAddressMax: number
}

export const HTTP_LIMITS: HttpLimits = {
  // Headers are a packet or two. Ten seconds let a telephone in a tunnel repeat them, and a slowloris hold little.
  headersTimeoutMs: 10_000,
  // 64 KiB, the largest body that a page sends, at 26 kbit/s, which is less than any network that one is used on; an
  // invoice of 256 KiB comes from a server.
  requestTimeoutMs: 20_000,
  // Longer than the 60 s for which nginx and the load balancers of the clouds keep theirs: who closes first must be the
  // proxy, or it sends a request into a connection that is just being closed.
  keepAliveTimeoutMs: 65_000,
  // Twice the 30 s for which a payment is waited for, during which nothing moves on its connection.
  idleSocketTimeoutMs: 60_000,
  timeoutSweepMs: 1_000,
  // What Node takes by default, and twice what nginx takes in one line: ids and keys make a few hundred.
  headerBytesMax: 16_384,
  // As many as Apache's httpd takes. Node would leave out those above its own limit, and read the request without them.
  headersMax: 100,
  expectedBytesMax: BODY_BYTES_MAX,
  // A body that would have been taken is read to its end, so that its caller sees the answer and not a reset.
  restBytesMax: BODY_BYTES_MAX,
  // Some round trips, in which the answer arrives and the caller stops.
  restTimeoutMs: 1_000,
  // Each costs some 20 kB and a file descriptor; a process answers as fast with 200 as with thousands.
  connectionsMax: 4_000,
  // The servers of a shop that share an address have hundreds at most.
  connectionsOfAddressMax: 1_000,
}
