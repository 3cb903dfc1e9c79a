import { testHostileRequests } from './hostile-requests.ts'

testHostileRequests({ requests: 600, byteStreams: 300 })
