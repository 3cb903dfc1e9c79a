import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'

/** A record of an answer: `A` and `AAAA` hold an address, `CNAME` another name. */
export interface DnsRecord {
  /** Whose record it is; by default that of the name that was asked for. */
  name?: string
  type: 'A' | 'AAAA' | 'CNAME'
  data: string
}

export interface DnsQuestion {
  name: string
  type: 'A' | 'AAAA' | 'other'
}

/** Records, a response code of RFC 1035 (2 SERVFAIL, 3 NXDOMAIN), bytes as they are, or no answer at all. */
export type DnsAnswer = readonly DnsRecord[] | { code: number } | { bytes: Buffer } | 'silence'

export interface NameServer {
  /** As `Resolver.setServers` takes it. */
  server: string
  /** Everything that was asked, oldest first. */
  questions: readonly DnsQuestion[]
  stop(): Promise<void>
}

const TYPES = { A: 1, CNAME: 5, AAAA: 28 } as const
const CLASS_INTERNET = 1
const HEADER_BYTES = 12

/** A name server on loopback, over UDP (RFC 1035). Its answers live for 0 s, so that nobody keeps them. */
export async function makeNameServer(answer: (question: DnsQuestion) => DnsAnswer): Promise<NameServer> {
  const questions: DnsQuestion[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query: Buffer, peer: RemoteInfo) => {
    const { question, end } = readQuestion(query)
    questions.push(question)
    const given = answer(question)
    if (given === 'silence') return
    const reply = 'bytes' in given ? Buffer.concat([query.subarray(0, 2), given.bytes]) : encode(query, end, given)
    socket.send(reply, peer.port, peer.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    server: `127.0.0.1:${socket.address().port}`,
    questions,
    async stop() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

function readQuestion(query: Buffer): { question: DnsQuestion; end: number } {
  const labels: string[] = []
  let offset = HEADER_BYTES
  for (let length = query.readUInt8(offset); length > 0; length = query.readUInt8(offset)) {
    labels.push(query.toString('latin1', offset + 1, offset + 1 + length))
    offset += 1 + length
  }
  const code = query.readUInt16BE(offset + 1)
  const type = code === TYPES.A ? 'A' : code === TYPES.AAAA ? 'AAAA' : 'other'
  return { question: { name: labels.join('.').toLowerCase(), type }, end: offset + 5 }
}

function encode(query: Buffer, questionEnd: number, given: readonly DnsRecord[] | { code: number }): Buffer {
  const records = 'code' in given ? [] : given
  const header = Buffer.alloc(HEADER_BYTES)
  query.copy(header, 0, 0, 2)
  // A response, recursion desired and available.
  header.writeUInt16BE(0x8180 | ('code' in given ? given.code : 0), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  return Buffer.concat([header, query.subarray(HEADER_BYTES, questionEnd), ...records.map(encodeRecord)])
}

function encodeRecord({ name, type, data }: DnsRecord): Buffer {
  // Without a name of its own, a pointer to that of the question.
  const owner = name === undefined ? Buffer.from([0xc0, HEADER_BYTES]) : encodeName(name)
  const rdata = type === 'CNAME' ? encodeName(data) : type === 'A' ? ipv4Bytes(data) : ipv6Bytes(data)
  const fixed = Buffer.alloc(10)
  fixed.writeUInt16BE(TYPES[type], 0)
  fixed.writeUInt16BE(CLASS_INTERNET, 2)
  fixed.writeUInt16BE(rdata.length, 8)
  return Buffer.concat([owner, fixed, rdata])
}

function encodeName(name: string): Buffer {
  const labels = name.split('.').flatMap((label) => [Buffer.from([label.length]), Buffer.from(label, 'latin1')])
  return Buffer.concat([...labels, Buffer.from([0])])
}

function ipv4Bytes(address: string): Buffer {
  return Buffer.from(address.split('.').map(Number))
}

/** @param address in groups of hexadecimal digits, with "::" or without. */
function ipv6Bytes(address: string): Buffer {
  const [head = '', tail] = address.split('::')
  const groups = (part = '') => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)))
  const [first, last] = [groups(head), groups(tail)]
  const all = [...first, ...new Array<number>(8 - first.length - last.length).fill(0), ...last]
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]))
}
