// The kernel's own count of datagrams it had to drop because a socket's buffer was full.

import { readFileSync } from 'node:fs'

/** Undefined where the system does not report it. */
export function kernelDrops(port: number): number | undefined {
  const counts = ['/proc/net/udp', '/proc/net/udp6'].map((file) => countIn(file, port))
  const known = counts.filter((count) => count !== undefined)
  return known.length === 0 ? undefined : known.reduce((sum, count) => sum + count, 0)
}

function countIn(file: string, port: number): number | undefined {
  let table: string
  try {
    table = readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
  const wanted = port.toString(16).toUpperCase().padStart(4, '0')
  let drops: number | undefined
  for (const line of table.split('\n').slice(1)) {
    const columns = line.trim().split(/\s+/)
    if (columns[1]?.endsWith(`:${wanted}`)) drops = (drops ?? 0) + Number(columns.at(-1))
  }
  return drops
}
