// Prints what a device says about itself.

import type { InterfaceFacts, SystemFacts } from '../ask/device-facts.ts'
import type { ChassisFacts, OwnAddress } from '../ask/device-hardware.ts'
import type { NeighbourFacts } from '../ask/device-neighbours.ts'
import type { TableAnswer } from '../ask/device-table.ts'
import { countedNoun } from './command.ts'

const shownLength = 200

/** In one line, and without characters that a terminal would act on. */
export const plainText = (text: string | undefined) =>
  (text ?? '')
    .slice(0, shownLength * 4)
    .replace(/[\s\p{C}]+/gu, ' ')
    .slice(0, shownLength)
    .toWellFormed()

export function printSystem(system: SystemFacts, chassis: ChassisFacts): void {
  const lines: [string, string | undefined][] = [
    ['Name', system.name],
    ['Description', system.description],
    ['Object id', system.objectId],
    ['Up for', system.uptime === undefined ? undefined : durationText(system.uptime)],
    ['Location', system.location],
    ['Contact', system.contact],
    ['Model', chassis.model],
    ['Serial', chassis.serialNumber],
    ['Software', chassis.software],
  ]
  for (const [name, value] of lines) console.log(`${name.padEnd(12)} ${plainText(value) || '-'}`)
}

/** Of hundredths of a second: `12 days 3:04:05`. */
export function durationText(hundredths: number): string {
  const seconds = Math.floor(hundredths / 100)
  const two = (number: number) => String(Math.floor(number)).padStart(2, '0')
  const clock = `${Math.floor((seconds % 86_400) / 3600)}:${two((seconds % 3600) / 60)}:${two(seconds % 60)}`
  return seconds < 86_400 ? clock : `${countedNoun(Math.floor(seconds / 86_400), 'day')} ${clock}`
}

/** IANAifType: those that are met most. */
const typeNames: Readonly<Record<number, string>> = {
  1: 'other',
  6: 'ethernetCsmacd',
  22: 'propPointToPointSerial',
  23: 'ppp',
  24: 'softwareLoopback',
  32: 'frameRelay',
  37: 'atm',
  39: 'sonet',
  53: 'propVirtual',
  62: 'fastEther',
  71: 'ieee80211',
  117: 'gigabitEthernet',
  131: 'tunnel',
  135: 'l2vlan',
  136: 'l3ipvlan',
  150: 'mplsTunnel',
  161: 'ieee8023adLag',
  166: 'mpls',
  209: 'bridge',
}
const statusNames = ['', 'up', 'down', 'testing', 'unknown', 'dormant', 'notPresent', 'lowerLayerDown']

const statusText = (status: number | undefined) =>
  status === undefined ? '-' : (statusNames[status] ?? String(status))

export function speedText(speed: number | undefined): string {
  if (speed === undefined || speed === 0) return '-'
  const [unit, divisor] = speed >= 1e9 ? ['G', 1e9] : speed >= 1e6 ? ['M', 1e6] : ['k', 1e3]
  return `${Number((speed / Number(divisor)).toFixed(1))} ${unit}bit/s`
}

export function printInterfaces({ rows, problem }: TableAnswer<InterfaceFacts>): void {
  console.log(`\n${countedNoun(rows.length, 'interface')}`)
  const cells = rows.map((one) => [
    String(one.index),
    one.name ?? one.description ?? '',
    one.alias ?? '',
    one.type === undefined ? '' : (typeNames[one.type] ?? `type ${one.type}`),
    speedText(one.speed),
    one.mac ?? '',
    statusText(one.adminStatus),
    statusText(one.operStatus),
  ])
  printTable(['index', 'name', 'alias', 'type', 'speed', 'MAC', 'admin', 'state'], cells)
  if (problem) console.log(`  The list may be incomplete: ${problem.message}`)
}

export function printAddresses({ rows, problem }: TableAnswer<OwnAddress>): void {
  if (rows.length > 0) {
    console.log(`\n${countedNoun(rows.length, 'address')}`)
    const cells = rows.map(({ address, ifIndex }) => [address, ifIndex === undefined ? '' : String(ifIndex)])
    printTable(['address', 'index'], cells)
  }
  if (problem) console.log(`  The list of addresses may be incomplete: ${problem.message}`)
}

export function printNeighbours({ rows, problem }: TableAnswer<NeighbourFacts>): void {
  for (const protocol of ['lldp', 'cdp'] as const) {
    const found = rows.filter((one) => one.protocol === protocol)
    if (found.length === 0) continue
    console.log(`\n${countedNoun(found.length, 'neighbour')} (${protocol.toUpperCase()})`)
    const cells = found.map((one) => [
      one.localName ?? `port ${one.localPort}`,
      one.systemName ?? '',
      one.chassis ?? '',
      one.port ?? '',
      one.portDescription ?? '',
      one.address ?? '',
    ])
    printTable(['at', 'neighbour', 'chassis', 'port', 'description', 'address'], cells)
  }
  if (problem) console.log(`  The list of neighbours may be incomplete: ${problem.message}`)
}

const maxColumnWidth = 40

export function printTable(heads: readonly string[], rows: readonly (readonly string[])[]): void {
  if (rows.length === 0) return
  const shown = [heads, ...rows].map((row) => row.map((cell) => plainText(cell) || '-'))
  const widths = heads.map((_, column) =>
    shown.reduce((width, row) => Math.max(width, Math.min(maxColumnWidth, row[column]?.length ?? 0)), 0),
  )
  for (const row of shown)
    console.log(`  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
}
