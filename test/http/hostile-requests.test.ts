import { testHostileRequests } from './hostile-requests.ts'

testHostileRequests({ requests: 150, byteStreams: 75 })
