// Agents on loopback that answer the questions of the benchmark `ask`, in a process of their own: their work is not measured.

import type { Variable } from '../src/snmp/variables.ts'
import { TestAgent } from '../test/ask/agent.ts'
import { agentHosts, community, oids } from './ask-plan.ts'

const values = [
  { oid: oids[0], type: 'ObjectIdentifier', value: '1.3.6.1.4.1.32473.1', hex: false },
  { oid: oids[1], type: 'TimeTicks', value: '8640000', hex: false },
  { oid: oids[2], type: 'OctetString', value: 'sw1.example.net', hex: false },
] as Variable[]

const port = Number(process.argv[2])
for (const host of agentHosts) await TestAgent.start({ values, host, port, community })
console.log('ready')
