// The table of blocks: datagrams that nodes have received, stored before they are processed so that they survive the
// node.

import type { Tally } from '../../intake/source.ts'
import { blankCommunities } from '../../snmp/community.ts'
import {
  bulk,
  type Database,
  type Reader,
  type Row,
  type Store,
  type Transaction,
} from '../../store/database.ts'
import { clockSql } from '../nodes/server-identity.ts'

export interface BlockKey {
  readonly node: string
  readonly start: number
  readonly sequence: number
}

/** Counts that are stored with the datagrams of a block. */
export interface Counted {
  readonly tallies: readonly Tally[]
  /** The storms at the node; absent if the block does not report them. */
  readonly storms?: readonly string[] | undefined
}

export interface StoredBlock extends BlockKey, Counted {
  /** When it was stored, on the store's clock. */
  readonly storedAt: number
  readonly datagrams: number
  readonly bytes: Buffer
  /** How often processing was attempted, and how many parts are processed. */
  readonly attempts: number
  readonly done: number
}

export async function putBlock(
  database: Store,
  { node, start, sequence }: BlockKey,
  bytes: Buffer,
  datagrams: number,
  counted: Counted,
): Promise<void> {
  // It is written again after a commit with an unknown outcome.
  await database.writeConcurrently((tx) =>
    tx.run(
      `insert into intake_block (node, start, sequence, kept_at, datagrams, bytes, counted, attempts, done, settled_at)
       values (?, ?, ?, ${clockSql}, ?, ?, ?, 0, 0, 0) on conflict do nothing`,
      [node, start, sequence, datagrams, bytes.toString('base64'), JSON.stringify(counted)],
    ),
  )
}

const columns = 'node, start, sequence, kept_at, datagrams, bytes, counted, attempts, done'

/**
 * The first waiting blocks of each node, after those in progress. The sequence numbers say nothing about the order of
 * commits, so only whether a block is processed counts.
 */
export async function waitingBlocks(
  database: Database,
  datagramsOfEach: number,
  inProgress: readonly BlockKey[] = [],
): Promise<StoredBlock[]> {
  const last = new Map(inProgress.map(({ node, start, sequence }) => [node, [node, start, sequence]]))
  const rows = await database.all(
    `select ${columns} from (
       select ${columns}, sum(datagrams + 1) over (partition by node order by start, sequence) - datagrams - 1 as before
       from intake_block where settled_at = 0${' and not (node = ? and (start, sequence) <= (?, ?))'.repeat(last.size)}
     ) waiting where before < ? order by kept_at, node, start, sequence`,
    [...[...last.values()].flat(), datagramsOfEach],
  )
  return rows.map(blockOf)
}

/** A block that was processed recently, at least in part. */
export interface ProcessedBlock extends Pick<StoredBlock, 'node' | 'sequence' | 'storms'> {
  /** The fingerprints of its datagrams. */
  readonly seen: string
}

/**
 * In the order in which they were processed, those that are partly processed last; only the newest, up to this many
 * bytes.
 */
export async function processedRecently(
  database: Database,
  milliseconds: number,
  maxBytes: number,
): Promise<ProcessedBlock[]> {
  const newestFirst = 'settled_at = 0 desc, settled_at desc, start desc, sequence desc, node'
  const rows = await database.all(
    `select node, sequence, counted, seen from (
       select node, start, sequence, counted, seen, settled_at, sum(octet_length(seen) + ${overhead}) over (order by ${newestFirst}) as together
       from intake_block where settled_at > ${clockSql} - ? or (settled_at = 0 and done > 0)
     ) lately where together <= ? order by ${newestFirst}`,
    [milliseconds, maxBytes],
  )
  return rows
    .map((row) => ({
      node: String(row.node),
      sequence: Number(row.sequence),
      storms: (JSON.parse(String(row.counted)) as Counted).storms,
      seen: String(row.seen),
    }))
    .reverse()
}

/** Approximate bytes of a block besides its fingerprints. */
const overhead = 200

const addAttempts = bulk(
  'update intake_block set attempts = attempts + ? where node = ? and start = ? and sequence = ?',
  ['integer', 'text', 'bigint', 'bigint'],
)

/**
 * Called before processing, in a separate transaction: a block that crashes every node must be recognised by its count.
 */
export function countAttempt(database: Store, blocks: readonly BlockKey[], by: 1 | -1): Promise<void> {
  return database.writeConcurrently((tx) =>
    tx.runEach(
      addAttempts,
      blocks.map(({ node, start, sequence }) => [by, node, start, sequence]),
    ),
  )
}

export interface Progress extends BlockKey {
  /** How many parts are processed by now, and whether those are all. */
  readonly done: number
  readonly isAll: boolean
  /** The number of attempts that the rest counts as having. */
  readonly attempts: number
  /** The fingerprints of the datagrams that were just processed. */
  readonly seen: string
}

/**
 * Clears the bytes of a block that is fully processed: they contain communities, and fingerprints suffice to find
 * duplicates.
 */
const processedSql = bulk(
  `update intake_block set done = ?, attempts = ?, seen = seen || ?, bytes = case when ? = 1 then '' else bytes end, settled_at = case when ? = 1 then ${clockSql} else 0 end
   where node = ? and start = ? and sequence = ? and settled_at = 0`,
  ['integer', 'integer', 'text', 'integer', 'integer', 'text', 'bigint', 'bigint'],
)

/** Called in the transaction that processes the blocks. */
export async function markProcessed(tx: Transaction, blocks: readonly Progress[]): Promise<void> {
  await tx.runEach(
    processedSql,
    blocks.map(({ node, start, sequence, done, isAll, attempts, seen }) => {
      const all = isAll ? 1 : 0
      return [done, attempts, seen, all, all, node, start, sequence]
    }),
  )
}

/** Keeps a datagram that could not be processed for people to look at, who need not know its community. */
export async function quarantine(
  tx: Transaction,
  { node, start, sequence }: BlockKey,
  place: number,
  { sourceIp, bytes, reason }: { readonly sourceIp: string; readonly bytes: Buffer; readonly reason: string },
): Promise<void> {
  await tx.run(
    'insert into intake_aside (node, start, sequence, place, put_at, source_ip, bytes, reason) values (?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing',
    [node, start, sequence, place, tx.now, sourceIp, blankCommunities(bytes).toString('base64'), reason],
  )
}

/** When a datagram was last quarantined, by node. */
export async function lastQuarantined(reader: Reader): Promise<Map<string, number>> {
  const rows = await reader.all('select node, max(put_at) as put_at from intake_aside group by node')
  return new Map(rows.map((row) => [String(row.node), Number(row.put_at)]))
}

/** The first block of a node that is not processed; undefined if all are. */
export async function firstWaiting(
  database: Database,
  node: string,
  start: number,
): Promise<number | undefined> {
  const [row] = await database.all(
    'select sequence from intake_block where settled_at = 0 and node = ? and start = ? order by sequence limit 1',
    [node, start],
  )
  return row && Number(row.sequence)
}

export interface WaitingCount {
  readonly node: string
  readonly blocks: number
  /** Milliseconds since the oldest was stored. */
  readonly age: number
}

export async function countWaiting(database: Database): Promise<WaitingCount[]> {
  const rows = await database.all(
    `select node, count(*) as blocks, ${clockSql} - min(kept_at) as age from intake_block where settled_at = 0 group by node`,
  )
  return rows.map((row) => ({
    node: String(row.node),
    blocks: Number(row.blocks),
    age: Math.max(0, Number(row.age)),
  }))
}

export interface OldestWaiting {
  /** Milliseconds since it was stored. */
  readonly age: number
  /** Identifies the block and how much of it is processed. */
  readonly place: string
  /** Whether any other block was processed within this time. */
  readonly othersProcessed: boolean
}

export async function oldestWaiting(
  reader: Reader,
  milliseconds: number,
): Promise<OldestWaiting | undefined> {
  const [row] = await reader.all(
    `select node, start, sequence, done, ${clockSql} - kept_at as age,
       exists (select 1 from intake_block where settled_at > ${clockSql} - ?) as others_settled
     from intake_block where settled_at = 0 order by kept_at, node, start, sequence limit 1`,
    [milliseconds],
  )
  if (!row) return undefined
  const { node, start, sequence, done } = row
  return {
    age: Number(row.age),
    place: [node, start, sequence, done].join(' '),
    othersProcessed: Boolean(row.others_settled),
  }
}

/** Waits until blocks could be stored, whoever has locked their table; throws if that takes too long. */
export async function probeIntake(database: Store): Promise<void> {
  await database.writeConcurrently((tx) => tx.run('lock table intake_block in row exclusive mode'))
}

/**
 * Drops the blocks that wait in a copy of the store: up to this time, the original has them, too, and processes them.
 * Returns the number of dropped datagrams.
 */
export async function dropWaiting(tx: Transaction, until: number): Promise<number> {
  const [row] = await tx.all(
    'select coalesce(sum(datagrams), 0) as n from intake_block where settled_at = 0 and kept_at <= ?',
    [until],
  )
  await tx.run('delete from intake_block where kept_at <= ?', [until])
  await tx.run('delete from intake_answer where made_at <= ?', [until])
  return Number(row?.n ?? 0)
}

const quarantineLimit = 1000
/** Milliseconds after which nobody waits for an answer any more. */
export const answerAge = 30_000

/** Processed blocks are kept as long as duplicates of their datagrams may arrive. */
export async function removeProcessed(database: Store, milliseconds: number): Promise<void> {
  await database.writeConcurrently(async (tx) => {
    await tx.run(`delete from intake_block where settled_at > 0 and settled_at < ${clockSql} - ?`, [
      milliseconds,
    ])
    await tx.run(`delete from intake_answer where made_at < ${clockSql} - ?`, [2 * answerAge])
    await tx.run(
      'delete from intake_aside where put_at < (select min(put_at) from (select put_at from intake_aside order by put_at desc limit ?) newest)',
      [quarantineLimit],
    )
  })
}

function blockOf(row: Row): StoredBlock {
  const counted: Counted = JSON.parse(String(row.counted))
  return {
    node: String(row.node),
    start: Number(row.start),
    sequence: Number(row.sequence),
    storedAt: Number(row.kept_at),
    datagrams: Number(row.datagrams),
    bytes: Buffer.from(String(row.bytes), 'base64'),
    ...counted,
    attempts: Number(row.attempts),
    done: Number(row.done),
  }
}
