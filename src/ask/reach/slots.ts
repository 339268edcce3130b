// When a device is asked, and by which node. Both follow from its id: nothing is stored, and nodes agree without a word.
// A device has its moment within each interval, so that questions are spread evenly and a restart repeats none.

/** A hash of 32 bits that spreads similar texts well. */
export function hashOf(text: string): number {
  let hash = 0x81_1c_9d_c5
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01_00_01_93)
  }
  // The last letters would hardly change the upper bits.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2_b2_ae_35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** The node that asks a device: when a node goes, only its devices move. */
export function nodeFor(deviceId: bigint, nodes: readonly string[]): string | undefined {
  let best: string | undefined
  let highest = -1
  for (const node of nodes) {
    const hash = hashOf(`${deviceId} ${node}`)
    if (hash > highest || (hash === highest && node < (best ?? ''))) {
      best = node
      highest = hash
    }
  }
  return best
}

/**
 * The next moment of a device after `now`, on the store's clock, in milliseconds; with a stride only each n-th counts.
 */
export function nextMoment(deviceId: bigint, now: number, interval: number, stride = 1): number {
  const hash = hashOf(String(deviceId))
  const phase = Math.floor((hash / 2 ** 32) * interval)
  const next = Math.floor((now - phase) / interval) + 1
  const late = (((hash - next) % stride) + stride) % stride
  return (next + late) * interval + phase
}
