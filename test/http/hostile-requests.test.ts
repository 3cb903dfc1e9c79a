import { testHostileRequests } from './hostile-requests.ts'

testHostileRequests(150)
