// `npm run measure -- ask FOLDER`: asks agents that answer from recorded walks, and counts which interfaces and neighbours
// are found. The walks are not part of the project: FOLDER has them, as .snmprec files, packed with bzip2 or not.

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { askInterfaces, askSystem } from '../src/ask/device-facts.ts'
import { askNeighbours } from '../src/ask/device-neighbours.ts'
import { DeviceSession } from '../src/ask/device-session.ts'
import { askCandidate, type MeantProfile } from '../src/ask/discover/candidate.ts'
import { askReport } from '../src/ask/know/device-report.ts'
import { defaultLimits, QuestionSocket } from '../src/ask/question-socket.ts'
import type { AskProfile } from '../src/resources/inventory/ask-profile.ts'
import type { Variable } from '../src/snmp/variables.ts'
import { TestAgent } from '../test/ask/agent.ts'
import { readSnmprec } from '../test/ask/snmprec.ts'
import { Share } from './share.ts'

const community = 'recorded'
const packedSize = 256 * 1024 * 1024

const textOf = (path: string) =>
  path.endsWith('.bz2')
    ? execFileSync('bzip2', ['-dc', path], { maxBuffer: packedSize }).toString('latin1')
    : readFileSync(path, 'latin1')

/** The rows that a walk holds, found without asking. */
const rowsOf = (values: readonly Variable[], form: RegExp) =>
  new Set(values.flatMap(({ oid }) => form.exec(oid)?.[1] ?? []))
const interfaceForm = /^1\.3\.6\.1\.2\.1\.(?:2\.2\.1\.[1235678]|31\.1\.1\.1\.(?:1|15|18))\.(\d+)$/
const cdpForm = /^1\.3\.6\.1\.4\.1\.9\.9\.23\.1\.2\.1\.1\.[34678]\.(\d+\.\d+)$/
const neighbourForm = /^1\.0\.8802\.1\.1\.2\.1\.4\.1\.1\.[4-9]\.(\d+\.\d+\.\d+)$/

const meantFor = (port: number): MeantProfile => ({
  profile: { id: 1n, version: '2c', port, timeoutSeconds: 2, tries: 2 } as AskProfile,
  credentials: { version: '2c', community },
})

export async function measureAsk(folder: string, showMistakes: boolean): Promise<void> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && /\.snmprec(\.bz2)?$/.test(one.name))
    .map((one) => join(one.parentPath, one.name))
  const figures = {
    ...{ system: new Share(), interfaces: new Share(), neighbours: new Share() },
    ...{ discovered: new Share(), learntPorts: new Share(), learntNeighbours: new Share() },
  }
  const mistakes: string[] = []
  const socket = new QuestionSocket({ ...defaultLimits, perSecond: 100_000 })
  for (const file of files) {
    const values = readSnmprec(textOf(file))
    const name = relative(folder, file)
    await using agent = await TestAgent.start({ values, community })
    const ports = rowsOf(values, interfaceForm).size
    const near = rowsOf(values, neighbourForm).size + rowsOf(values, cdpForm).size
    const { address, port } = agent.device
    const found = await askCandidate(socket, address, meantFor(port), (work) => work())
    // Some walks lack the system group: such a device answers all the same.
    figures.discovered.add(found?.found.state === 'answering')
    const report = await askReport(new DeviceSession(socket, agent.device, { version: '2c', community }))
    for (let i = 0; i < ports; i += 1) figures.learntPorts.add(i < report.ports.rows.length)
    for (let i = 0; i < near; i += 1)
      figures.learntNeighbours.add(i < report.neighbours.rows.length && i < (found?.neighbours.length ?? 0))
    if (found?.found.problem) mistakes.push(`${name}, discovery: ${found.found.problem}`)
    for (const version of ['2c', '1'] as const) {
      const session = new DeviceSession(socket, agent.device, { version, community })
      const system = await askSystem(session)
      const descr = values.find(({ oid }) => oid === '1.3.6.1.2.1.1.1.0')
      const isRight =
        (descr?.type === 'OctetString' && descr.value !== '') === (system.description !== undefined)
      figures.system.add(isRight)
      if (!isRight) mistakes.push(`${name}, version ${version}: description ${system.description}`)
      const interfaces = await askInterfaces(session)
      const told = await askNeighbours(session)
      const neighbours = { ...told, rows: told.rows.filter(({ protocol }) => protocol === 'lldp') }
      const wanted = rowsOf(values, interfaceForm)
      for (const row of wanted)
        figures.interfaces.add(interfaces.rows.some(({ index }) => index === Number(row)))
      const wantedNeighbours = rowsOf(values, neighbourForm).size
      for (let i = 0; i < wantedNeighbours; i += 1) figures.neighbours.add(i < neighbours.rows.length)
      const invented = [interfaces.rows.length - wanted.size, neighbours.rows.length - wantedNeighbours]
      for (const problem of [interfaces.problem, neighbours.problem])
        if (problem) mistakes.push(`${name}, version ${version}: ${problem.message}`)
      if (invented.some((more) => more !== 0))
        mistakes.push(
          `${name}, version ${version}: interfaces, neighbours: ${invented.join(', ')} more than held`,
        )
    }
  }
  await socket.close()
  console.log(`${files.length} walks, each in versions 2c and 1\n`)
  console.log(`system description right    ${figures.system}`)
  console.log(`interfaces found            ${figures.interfaces}`)
  console.log(`neighbours found            ${figures.neighbours}`)
  console.log(`\ndiscovery finds the device  ${figures.discovered}`)
  console.log(`ports learnt                ${figures.learntPorts}`)
  console.log(`neighbours learnt           ${figures.learntNeighbours}`)
  if (showMistakes) console.log(`\n${mistakes.join('\n')}`)
}
